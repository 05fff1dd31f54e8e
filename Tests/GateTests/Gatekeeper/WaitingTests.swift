import Contract
import TestSupport
import Testing

@testable import Gate

/// Messages queued at the broker for an absent client.
struct WaitingTests {
    private static let chat = FamilyTopic.root + "/chat"
    private static let notices = "kith/users/alice/notices"
    private static let otherAlerts = "kith/groups/\(GroupKey.work)/alerts"

    private func withAbsentee(
        isKnown: Bool = true, change: (inout Waiting.Limits) -> Void = { _ in },
        _ body: (Door, Gatekeeper.Client) throws -> Void
    ) async throws {
        try await withDoor {
            $0.limits.waiting.messages = 5
            $0.limits.waiting.words = 3
            $0.limits.waiting.calls = Waiting.Places(assured: 2, ofOne: 4, ofGroup: 5)
            $0.limits.waiting.alerts = Waiting.Places(assured: 1, ofOne: 2, ofGroup: 3)
            change(&$0.limits.waiting)
        } _: { door in
            try door.town.join(.work, "alice")
            guard isKnown else { return try body(door, door.newClient()) }
            let alice = try #require(door.enter("alice.phone", isContinued: true))
            #expect(door.subscribe(FamilyTopic.root + "/#", by: alice))
            door.leave(alice)
            try body(door, alice)
        }
    }

    /// - Returns: how many of twenty are accepted.
    private func wait(
        _ topic: String, payload: String? = nil, size: Int = 1, qos: Int = 1, _ door: Door,
        _ client: Gatekeeper.Client
    ) -> Int {
        (0..<20).count { _ in
            door.mayReceive(
                topic, client, payload: payload, size: size, qos: qos, absentee: "alice.phone")
        }
    }

    private func alert(_ kind: String, of user: String, _ more: String = "") -> String {
        #"{"id":"x","kind":"\#(kind)","user":"\#(user)","acknowledgedBy":[]\#(more)}"#
    }

    @Test(arguments: [true, false])
    func `A full chat queue does not keep notices, replies and alerts from waiting`(isKnown: Bool)
        async throws
    {
        try await withAbsentee(isKnown: isKnown) { door, alice in
            #expect(wait(WaitingTests.chat, door, alice) == 5)
            #expect(wait(FamilyTopic.alice, door, alice) == 0)
            #expect(wait(WaitingTests.notices, door, alice) == 3)
            #expect(wait("kith/users/alice/devices/phone/replies", door, alice) == 0)
            let call = alert("sos", of: "bob")
            #expect(wait(FamilyTopic.alerts, payload: call, door, alice) == 4)
            #expect(
                wait(WaitingTests.otherAlerts, payload: call, door, alice) == 4,
                "each group has its own")
            #expect(door.metric("gate-messages-not-waiting") == "104")
        }
    }

    @Test func `A queue is also bounded in bytes`() async throws {
        try await withAbsentee {
            $0.messages = 1000
            $0.bytes = 1000
        } _: { door, alice in
            #expect(wait(WaitingTests.chat, size: 100, door, alice) == 10)
            #expect(wait(WaitingTests.notices, size: 512, door, alice) == 3)
            #expect(
                wait(FamilyTopic.alerts, payload: alert("late", of: "bob"), door, alice) == 2)
        }
    }

    @Test func `Junk alerts of all members together keep no call for help from waiting`()
        async throws
    {
        try await withAbsentee { door, alice in
            let topic = FamilyTopic.alerts
            for kind in ["journey-started", "journey-stopped", "late"] {
                _ = wait(topic, payload: alert(kind, of: "bob"), door, alice)
                _ = wait(topic, payload: alert(kind, of: "carol"), door, alice)
            }
            // Another caller has taken all shared places, and more would not be queued.
            #expect(wait(topic, payload: alert("sos", of: "bob"), door, alice) == 4)
            #expect(wait(topic, payload: alert("in-need", of: "carol"), door, alice) == 2)
            #expect(wait(topic, payload: alert("sos", of: "dave"), door, alice) == 2)
            #expect(wait(topic, payload: alert("sos-stopped", of: "dave"), door, alice) == 0)
            #expect(wait(topic, payload: alert("late", of: "dave"), door, alice) == 1)
        }
    }

    @Test func `An acknowledgement is queued as chat is, and takes no place of the caller`()
        async throws
    {
        try await withAbsentee { door, alice in
            let topic = FamilyTopic.alerts
            let seen = #"{"id":"x","kind":"sos","user":"bob","acknowledgedBy":["carol"]}"#
            #expect(wait(topic, payload: seen, door, alice) == 5)
            let again = seen.dropLast() + #","repetition":1}"#
            #expect(wait(topic, payload: String(again), door, alice) == 4)
        }
    }

    @Test func `An unreadable alert is queued`() async throws {
        try await withAbsentee { door, alice in
            #expect(wait(FamilyTopic.alerts, payload: "{}", door, alice) == 20)
        }
    }

    @Test func `Device messages are not queued for members, and QoS 0 is not counted`() async throws
    {
        try await withAbsentee { door, alice in
            #expect(wait("kith/users/alice/devices/phone/fix", door, alice) == 0)
            #expect(wait("owntracks/alice/phone", door, alice) == 0)
            #expect(wait(WaitingTests.chat, qos: 0, door, alice) == 20)
            #expect(wait(WaitingTests.chat, door, alice) == 5)
            #expect(door.metric("gate-messages-not-waiting") == "15")
        }
    }

    @Test func `A returning client has its full queue again and drops the excess`() async throws {
        try await withAbsentee { door, alice in
            #expect(wait(WaitingTests.chat, door, alice) == 5)
            let back = try #require(door.enter("alice.phone", isContinued: true))
            // The broker asks about all that waits: more than there was, had it been kept before.
            #expect(wait(WaitingTests.chat, door, back) == 5)
            door.pass(.milliseconds(100))
            #expect(wait(WaitingTests.chat, door, back) == 20)
            door.leave(back)
            #expect(wait(WaitingTests.chat, door, back) == 5)
        }
    }

    @Test func `The service's own queue is unbounded`() async throws {
        try await withAbsentee { door, _ in
            let bridge = try #require(
                door.enter("kith:bridge", id: "kith:bridge.1", isContinued: true))
            door.leave(bridge)
            let fix = "kith/users/alice/devices/phone/fix"
            for client in [bridge, door.newClient()] {
                for _ in 0..<20 {
                    #expect(door.mayReceive(fix, client, absentee: "kith:bridge.1"))
                }
            }
        }
    }

    @Test func `Nothing is queued for a device that is logged out`() async throws {
        try await withAbsentee { door, alice in
            let replies = "kith/users/alice/devices/phone/replies"
            try door.town.revoke("alice", "phone")
            #expect(!door.mayReceive(replies, alice))
            #expect(!door.mayReceive(replies, door.newClient(), absentee: "alice.phone"))
        }
    }

    @Test func `A phone's retain flag is removed, and a will with it is refused`() async throws {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            for topic in ["owntracks/alice/phone", "owntracks/alice/PHONE"] {
                #expect(door.publish(topic, retained: true, by: phone) == .allowed)
                #expect(!door.gatekeeper.mayRetain(topic, by: phone))
            }
            let status = "kith/users/alice/devices/phone/status"
            #expect(door.gatekeeper.mayRetain(status, by: phone))
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(door.gatekeeper.mayRetain("owntracks/alice/PHONE", by: bridge))
            // Of a connection that was taken over, and of one that is gone.
            let next = try #require(door.enter("alice.phone"))
            #expect(door.publish("owntracks/alice/phone", retained: true, by: phone) == .refused)
            #expect(door.publish("owntracks/alice/phone", by: phone) == .allowed)
            door.leave(next)
            #expect(door.publish("owntracks/alice/phone", retained: true, by: next) == .refused)
        }
    }
}
