import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// Messages queued at the broker about a user whose account was deleted.
struct ErasedTests {
    private static let chat = FamilyTopic.root + "/chat"
    private static let notices = "kith/users/bob/notices"
    private static let replies = "kith/users/bob/devices/phone/replies"

    /// Bob is away, and was sent messages about Alice and Dora, who is also in the family.
    private func withBobAway(_ body: (Door, Gatekeeper.Client) throws -> Void) async throws {
        try await withDoor { door in
            try door.town.add("dora", "phone")
            try door.town.join(.family, "dora")
            let bob = try #require(door.enter("bob.phone", isContinued: true))
            #expect(door.subscribe(FamilyTopic.root + "/#", by: bob))
            #expect(door.subscribe("owntracks/bob/#", by: bob))
            door.leave(bob)
            try body(door, bob)
        }
    }

    /// Topic, payload, and whether it is still delivered when Alice is gone.
    private static let messages = [
        (chat, #"{"id":"1","kind":"message","from":"alice","name":"A","text":"hi"}"#, false),
        (chat, #"{"id":"2","from":"dora","text":"alice, \"from\":\"alice\""}"#, true),
        (chat, #"{"id":"3","kind":"left","at":"2026-05-01T12:00:00.000Z"}"#, true),
        (FamilyTopic.alerts, #"{"id":"4","kind":"sos","user":"alice","acknowledgedBy":[]}"#, false),
        (FamilyTopic.alerts, #"{"id":"5","user":"dora","acknowledgedBy":["alice"]}"#, true),
        (FamilyTopic.alice, #"{"user":"alice","state":"sos"}"#, false),
        (FamilyTopic.alice, "", true),
        (FamilyTopic.alice + "/path/1", #"{"segment":1,"points":[[1,2,3]]}"#, false),
        (FamilyTopic.root + "/members/dora", #"{"user":"dora","state":"active"}"#, true),
        (FamilyTopic.root, #"{"members":[{"user":"dora"},{"user":"alice"}]}"#, false),
        (FamilyTopic.root, #"{"members":[{"user":"dora"},{"user":"bob"}]}"#, true),
        (notices, #"{"kind":"friend-added","user":"alice","name":"Alice"}"#, false),
        (notices, #"{"kind":"added-to-group","group":"x","by":"alice"}"#, false),
        (notices, #"{"kind":"added-to-group","group":"x","by":"dora"}"#, true),
        ("owntracks/bob/@alice", #"{"_type":"location","lat":1,"lon":2}"#, false),
        ("owntracks/bob/@alice/event", #"{"_type":"transition"}"#, false),
        ("owntracks/bob/@dora", #"{"_type":"location","lat":1,"lon":2}"#, true),
        (
            replies,
            #"{"id":1,"result":{"members":[{"user":"alice","fix":{"latitude":1}}],"next":null}}"#,
            false
        ),
        (replies, #"{"id":2,"result":{"watchers":["alice"]}}"#, false),
        (replies, #"{"id":3,"result":{}}"#, true),
    ]

    @Test(arguments: messages)
    func `Queued messages of or about an erased user are no longer delivered`(
        topic: String, payload: String, isTold: Bool
    ) async throws {
        try await withBobAway { door, bob in
            #expect(door.mayReceive(topic, bob, payload: payload), "it was right at its time")
            let before = try #require(door.enter("bob.phone", isContinued: true))
            #expect(door.mayReceive(topic, before, payload: payload), "nobody is gone yet")
            door.leave(before)
            try door.town.erase("alice")
            let again = try #require(door.enter("bob.phone", isContinued: true))
            #expect(door.mayReceive(topic, again, payload: payload) == isTold)
        }
    }

    @Test(arguments: messages)
    func `Queued messages of or about an erased user stay withheld after a restart`(
        topic: String, payload: String, isTold: Bool
    ) async throws {
        try await withBobAway { earlier, _ in
            try earlier.town.erase("alice")
            let door = Door(earlier.town)
            let bob = try #require(door.enter("bob.phone", isContinued: true))
            #expect(door.mayReceive(topic, bob, payload: payload) == isTold)
        }
    }

    @Test func `An erased user's retained messages are withheld, but their removal is not`()
        async throws
    {
        try await withBobAway { door, _ in
            let bob = try #require(door.enter("bob.phone"))
            #expect(door.subscribe(FamilyTopic.root + "/#", by: bob))
            #expect(door.mayReceive(FamilyTopic.alice, bob, payload: "{}"))
            try door.town.erase("alice")
            #expect(!door.mayReceive(FamilyTopic.alice, bob, payload: "{}"))
            #expect(door.mayReceive(FamilyTopic.alice, bob, payload: ""))
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(door.mayReceive(FamilyTopic.alice, bridge, payload: "{}"), "it compares")
        }
    }

    @Test func `Reconnecting is charged for the queue that the broker scans`() async throws {
        try await withDoor {
            $0.limits.deviceConnections = Allowance(burst: 20, perSecond: 1)
        } _: { door in
            var visits = 0
            while visits < 100, let bob = door.enter("bob.phone", isContinued: true) {
                visits += 1
                for _ in 0..<1000 { _ = door.mayReceive(ErasedTests.chat, bob, payload: "{}") }
                door.leave(bob)
            }
            // Each visit costs one connection, and four for 1000 messages; two a second return.
            #expect((4...8).contains(visits))
        }
    }
}
