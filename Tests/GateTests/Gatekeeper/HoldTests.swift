import Contract
import TestSupport
import Testing

@testable import Gate

/// Acknowledgements wait for the bridge's commit.
struct HoldTests {
    private static let fix = "kith/users/alice/devices/phone/fix"
    private static let inputs =
        TopicSpace().inputs + TopicRow.Lane.allCases.map { TopicSpace().barrier($0) }
    private static let request = "kith/users/alice/devices/phone/requests/group.list"

    /// - Parameter body: is passed the bridge, which has subscribed to its inputs, and a phone.
    private func withBridge(
        _ body: (Door, _ bridge: Gatekeeper.Client, _ phone: Gatekeeper.Client) throws -> Void
    ) async throws {
        try await withDoor {
            $0.holdsAcknowledgements = true
            $0.run = "7"
        } _: { door in
            let bridge = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            for input in HoldTests.inputs { #expect(door.subscribe(input, by: bridge)) }
            let phone = try #require(door.enter("alice.phone"))
            _ = door.gatekeeper.takeOrders()
            try body(door, bridge, phone)
        }
    }

    private func commit(
        _ barrier: (topic: String, payload: String), _ door: Door, by client: Gatekeeper.Client
    ) -> Gatekeeper.Verdict {
        door.publish(
            barrier.topic.replacing("/barriers/", with: "/committed/"), qos: 0,
            payload: barrier.payload, by: client)
    }

    @Test func `An acknowledgement waits until the bridge returns the barrier`() async throws {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let held = door.holds()
            #expect(held.others == [.hold(phone)])
            #expect(held.barriers.map(\.topic) == ["kith/bridge/barriers/stream"])
            let barrier = try #require(held.barriers.first)
            // Neither another barrier nor an earlier run's.
            for other in ["7.99", "6.1", "7", "", "7.1.1"] {
                #expect(commit((barrier.topic, other), door, by: bridge) == .allowed)
            }
            #expect(door.holds().others == [])
            #expect(commit(barrier, door, by: bridge) == .allowed)
            let released = door.holds()
            #expect(released.others == [.release(phone)])
            #expect(released.barriers.isEmpty)
        }
    }

    @Test func `Only the bridge returns barriers`() async throws {
        try await withBridge { door, _, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let barrier = try #require(door.holds().barriers.first)
            let operators = try #require(door.enter("kith:operator"))
            for client in [phone, operators] {
                #expect(commit(barrier, door, by: client) == .refused)
                #expect(!door.mayReceive(barrier.topic, client))
                #expect(!door.subscribe(barrier.topic, by: client))
            }
            #expect(!door.holds().others.contains(.release(phone)))
        }
    }

    @Test func `A barrier also stands for those before it, and not for those behind it`()
        async throws
    {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let tablet = try #require(door.enter("alice.tablet"))
            #expect(
                door.publish("kith/users/alice/devices/tablet/fix", by: tablet) == .allowed)
            let held = door.holds()
            #expect(held.others == [.hold(phone), .hold(tablet)] && held.barriers.count == 3)
            let barriers = held.barriers
            #expect(commit(barriers[0], door, by: bridge) == .allowed)
            // The phone's second message is not committed yet.
            #expect(door.holds().others == [])
            #expect(commit(barriers[2], door, by: bridge) == .allowed)
            #expect(Set(door.holds().others) == [.release(phone), .release(tablet)])
            // An earlier one that comes late means nothing.
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [.hold(phone)])
            #expect(commit(barriers[1], door, by: bridge) == .allowed)
            #expect(door.holds().others == [])
        }
    }

    @Test func `Behind many barriers, messages wait for the next one`() async throws {
        try await withBridge { door, bridge, phone in
            for _ in 0..<Holds.mostBarriers + 2 {
                #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            }
            let first = door.holds().barriers.filter { !$0.payload.isEmpty }
            #expect(first.count == Holds.mostBarriers)
            let last = try #require(first.last)
            #expect(commit(last, door, by: bridge) == .allowed)
            let between = door.holds()
            #expect(between.others == [])
            let next = try #require(between.barriers.first)
            #expect(commit(next, door, by: bridge) == .allowed)
            #expect(door.holds().others == [.release(phone)])
        }
    }

    @Test func `A client waits for the barriers of all its lanes`() async throws {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.publish(HoldTests.request, by: phone) == .allowed)
            let barriers = door.holds().barriers
            #expect(
                Set(barriers.map(\.topic)) == [
                    "kith/bridge/barriers/stream", "kith/bridge/barriers/requests",
                ])
            #expect(commit(barriers[1], door, by: bridge) == .allowed)
            #expect(door.holds().others == [])
            #expect(commit(barriers[0], door, by: bridge) == .allowed)
            #expect(door.holds().others == [.release(phone)])
        }
    }

    /// The bridge otherwise waits for more fixes, so that it commits less often.
    @Test func `A phone that waits to send more has the bridge commit now`() async throws {
        try await withBridge { door, bridge, phone in
            func hurries(_ sent: [(topic: String, payload: String)]) -> Int {
                sent.count { $0 == ("kith/bridge/barriers/requests", "") }
            }
            // A single fix is not worth it, …
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            var sent = door.holds().barriers
            #expect(hurries(sent) == 0)
            #expect(commit(sent[0], door, by: bridge) == .allowed)
            // … nor is the next one later, …
            door.skip(.seconds(1))
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            sent = door.holds().barriers
            #expect(hurries(sent) == 0)
            #expect(commit(sent[0], door, by: bridge) == .allowed)
            // … but one that follows the acknowledgement is, …
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            sent = door.holds().barriers
            #expect(hurries(sent) == 1)
            let last = try #require(sent.first { !$0.payload.isEmpty })
            #expect(commit(last, door, by: bridge) == .allowed)
            // … and so are several, once.
            door.skip(.seconds(1))
            for _ in 0..<Holds.several + 3 {
                #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            }
            sent = door.holds().barriers
            #expect(hurries(sent) == 1)
            // What arrived after that may not be in the next commit.
            let first = try #require(sent.first { !$0.payload.isEmpty })
            #expect(commit(first, door, by: bridge) == .allowed)
            #expect(hurries(door.holds().barriers) == 1)
        }
    }

    @Test func `QoS 0 and 2, guests and the service itself do not wait`() async throws {
        try await withBridge { door, bridge, phone in
            for qos in [0, 2] {
                #expect(door.publish(HoldTests.fix, qos: qos, by: phone) == .allowed)
            }
            let guest = try #require(door.enter("visitor"))
            #expect(
                door.publish("kith/guests/visitor/requests/system.health", by: guest) == .allowed)
            #expect(door.publish("kith/system/status", retained: true, by: bridge) == .allowed)
            // Messages that do not reach the bridge.
            #expect(door.publish("kith/nowhere", by: phone) == .refused)
            let held = door.holds()
            #expect(held.others == [] && held.barriers.isEmpty)
        }
    }

    @Test func `A bridge that knows no barriers is not waited for`() async throws {
        try await withDoor {
            $0.holdsAcknowledgements = true
            $0.awaitsBridge = true
        } _: { door in
            let bridge = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            for input in TopicSpace().inputs { #expect(door.subscribe(input, by: bridge)) }
            let phone = try #require(door.enter("alice.phone"))
            _ = door.gatekeeper.takeOrders()
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [])
        }
    }

    @Test func `Nothing waits while the bridge is away`() async throws {
        try await withBridge { door, bridge, phone in
            door.leave(bridge)
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [])
        }
    }

    @Test func `Acknowledgements are released soon after the bridge has left`() async throws {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let barrier = try #require(door.holds().barriers.first)
            door.leave(bridge)
            door.pass(.milliseconds(300))
            #expect(door.holds().others == [.release(phone)])
            // Another bridge receives the barrier in its place.
            let next = try #require(door.enter("kith:bridge", id: "kith:bridge.1"))
            for input in HoldTests.inputs { #expect(door.subscribe(input, by: next)) }
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let newer = try #require(door.holds().barriers.first)
            #expect(commit(barrier, door, by: next) == .allowed)
            #expect(door.holds().others == [])
            #expect(commit(newer, door, by: next) == .allowed)
            #expect(door.holds().others == [.release(phone)])
            #expect(door.metric("gate-holds-ended") == "1")
        }
    }

    /// A call for help must not wait behind a backlog of fixes.
    @Test func `A bridge that is behind on one lane keeps no one waiting`() async throws {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let fix = try #require(door.holds().barriers.first)
            #expect(door.publish(HoldTests.request, by: phone) == .allowed)
            let request = try #require(door.holds().barriers.first)
            door.pass(.milliseconds(50))
            #expect(commit(request, door, by: bridge) == .allowed)
            #expect(door.holds().others == [])
            // It says something, so it is not away.
            door.pass(.milliseconds(100))
            #expect(door.holds().others == [.release(phone)])
            for _ in 0..<30 {
                #expect(door.publish("kith/system/status", retained: true, by: bridge) == .allowed)
                #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
                door.pass(.milliseconds(100))
                let held = door.holds()
                #expect(held.others == [] && held.barriers.isEmpty)
            }
            // Other lanes are not late.
            #expect(door.publish(HoldTests.request, by: phone) == .allowed)
            let held = door.holds()
            #expect(held.others == [.hold(phone)] && held.barriers.count == 1)
            #expect(commit(held.barriers[0], door, by: bridge) == .allowed)
            #expect(door.holds().others == [.release(phone)])
            // A late return does not end it; then another barrier shows that it is still behind, …
            #expect(commit(fix, door, by: bridge) == .allowed)
            let probe = door.holds()
            #expect(probe.others == [] && probe.barriers.count == 1)
            door.pass(.milliseconds(200))
            #expect(commit(probe.barriers[0], door, by: bridge) == .allowed)
            // … or no longer.
            let next = try #require(door.holds().barriers.first)
            #expect(commit(next, door, by: bridge) == .allowed)
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [.hold(phone)])
            #expect(door.metric("gate-holds-ended") == "2")
        }
    }

    @Test func `A client whose socket is not found is tried again with its next message`()
        async throws
    {
        try await withBridge { door, _, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [.hold(phone)])
            door.gatekeeper.noteUnheld(phone)
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            #expect(door.holds().others == [.hold(phone)])
            #expect(door.metric("gate-unheld") == "1")
        }
    }

    @Test func `A client that sends very many is not read until they are committed`()
        async throws
    {
        try await withBridge { door, bridge, phone in
            for _ in 0..<Holds.most { #expect(door.publish(HoldTests.fix, by: phone) == .allowed) }
            let held = door.holds()
            #expect(held.others.first == .hold(phone))
            #expect(held.others.contains(.pause(phone)))
            var barrier = try #require(held.barriers.last)
            #expect(commit(barrier, door, by: bridge) == .allowed)
            barrier = try #require(door.holds().barriers.first)
            #expect(commit(barrier, door, by: bridge) == .allowed)
            #expect(door.holds().others == [.release(phone), .resume(phone)])
        }
    }

    @Test func `A client that has left is forgotten, and its place taken by another`() async throws
    {
        try await withBridge { door, bridge, phone in
            #expect(door.publish(HoldTests.fix, by: phone) == .allowed)
            let barrier = try #require(door.holds().barriers.first)
            door.leave(phone)
            let next = try #require(door.enter("bob.phone", as: phone))
            #expect(door.publish("kith/users/bob/devices/phone/fix", by: next) == .allowed)
            let held = door.holds()
            #expect(held.others == [.hold(next)])
            #expect(commit(barrier, door, by: bridge) == .allowed)
            #expect(door.holds().others == [])
            let newer = try #require(held.barriers.first)
            #expect(commit(newer, door, by: bridge) == .allowed)
            #expect(door.holds().others == [.release(next)])
        }
    }
}
