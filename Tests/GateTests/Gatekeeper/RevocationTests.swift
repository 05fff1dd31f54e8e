import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

struct RevocationTests {
    private static let replies = "kith/users/alice/devices/phone/replies"

    @Test func `A revoked device gets its last reply and is disconnected`() async throws {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            let tablet = try #require(door.enter("alice.tablet"))
            try door.town.revoke("alice", "phone")
            #expect(!door.mayReceive(FamilyTopic.alerts, phone))
            #expect(!door.mayReceive("kith/users/alice/notices", phone))
            #expect(door.mayReceive(RevocationTests.replies, phone))
            #expect(door.mayReceive(RevocationTests.replies + "/a", phone))
            #expect(!door.mayReceive("kith/users/alice/devices/tablet/replies", phone))
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: phone) == .cutOff)
            #expect(!door.subscribe(RevocationTests.replies, by: phone))
            #expect(door.cutOffs() == [])
            door.pass(.milliseconds(60))
            #expect(door.cutOffs() == ["alice.phone"])
            #expect(door.mayReceive(FamilyTopic.alerts, tablet))
            door.pass(.seconds(1))
            #expect(door.cutOffs() == [])
        }
    }

    /// The bridge may be delayed between the revocation and the reply.
    @Test func `A revoked device that can receive nothing else waits briefly for its reply`()
        async throws
    {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone", id: "alice.0"))
            let tablet = try #require(door.enter("alice.tablet"))
            let lively = try #require(door.enter("alice.phone", id: "alice.1"))
            _ = try #require(door.enter("alice.phone", isContinued: true))
            #expect(door.subscribe(RevocationTests.replies + "/a", by: phone))
            #expect(door.subscribe(RevocationTests.replies, by: lively))
            #expect(door.subscribe("kith/users/alice/notices", qos: 0, by: lively))
            try door.town.revoke("alice", "phone")
            try door.town.revoke("alice", "tablet")
            door.pass(.milliseconds(200))
            #expect(door.cutOffs().sorted() == ["alice.1", "alice.phone"])
            #expect(!door.mayReceive(FamilyTopic.alerts, tablet))
            door.pass(.milliseconds(200))
            #expect(door.cutOffs() == [])
            #expect(door.mayReceive(RevocationTests.replies, phone))
            door.pass(.milliseconds(60))
            #expect(door.cutOffs() == ["alice.0"])
            door.pass(.milliseconds(200))
            #expect(door.cutOffs() == ["alice.tablet"])
        }
    }

    @Test func `A leaving member is disconnected only if group messages may be queued`()
        async throws
    {
        try await withDoor { door in
            let waiting = try #require(door.enter("bob.phone", id: "bob.1"))
            let lively = try #require(door.enter("bob.phone", id: "bob.2"))
            let kept = try #require(door.enter("bob.phone", isContinued: true))
            let fresh = try #require(door.enter("bob.phone", id: "bob.4", isFive: true))
            #expect(door.subscribe(FamilyTopic.alerts, by: waiting))
            #expect(door.subscribe(FamilyTopic.alerts, qos: 0, by: lively))
            try door.town.leave(.family, "bob")
            for client in [waiting, lively, kept, fresh] {
                #expect(!door.mayReceive(FamilyTopic.alerts, client))
            }
            door.pass(.milliseconds(200))
            // The queue of an earlier session is unknown.
            #expect(door.cutOffs().sorted() == ["bob.1", "bob.phone"])
        }
    }

    /// The broker keeps the subscription throughout.
    @Test(arguments: [true, false])
    func `A member who rejoins has messages queued again`(_ isAway: Bool) async throws {
        try await withDoor { door in
            var bob = try #require(door.enter("bob.phone", isContinued: true))
            #expect(door.subscribe(FamilyTopic.alerts, by: bob))
            if isAway { door.leave(bob) }
            try door.town.leave(.family, "bob")
            door.pass(.milliseconds(200))
            _ = door.cutOffs()
            try door.town.join(.family, "bob")
            door.pass(.milliseconds(200))
            if isAway {
                bob = try #require(door.enter("bob.phone", isContinued: true))
            }
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            #expect(door.cutOffs() == [])
            try door.town.leave(.family, "bob")
            door.pass(.milliseconds(200))
            #expect(door.cutOffs() == ["bob.phone"])
        }
    }

    /// The bridge commits and publishes between two checks of the database.
    @Test(arguments: ["", "/chat", "/alerts"])
    func `A group's messages do not reach a member who has just left`(_ level: String) async throws
    {
        try await withDoor { door in
            let bob = try #require(door.enter("bob.phone"))
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            let (gate, now) = (door.gatekeeper, door.now)
            func mayReceive(_ topic: String) -> Bool {
                gate.mayReceive(
                    Gatekeeper.Delivery(topic: topic, size: 1, qos: 1), bob, payload: [],
                    absentee: Gatekeeper.Absentee(clientID: "", username: nil), at: now)
            }
            try door.town.leave(.family, "bob")
            #expect(mayReceive(FamilyTopic.alerts), "the gate has looked just now")
            #expect(
                gate.publish(
                    FamilyTopic.root + level, size: 1, objects: 1, retained: false, qos: 1,
                    payload: [], by: bridge,
                    at: now)
                    == .allowed)
            #expect(!mayReceive(FamilyTopic.root + level))
        }
    }

    @Test func `A change is noticed with the next delivery`() async throws {
        try await withDoor { door in
            let carol = try #require(door.enter("carol.phone"))
            #expect(!door.mayReceive(FamilyTopic.alerts, carol))
            for _ in 0..<5 {
                try door.town.join(.family, "carol")
                #expect(door.mayReceive(FamilyTopic.alerts, carol))
                #expect(door.subscribe(FamilyTopic.alerts, qos: 0, by: carol))
                try door.town.leave(.family, "carol")
                #expect(!door.mayReceive(FamilyTopic.alerts, carol))
            }
        }
    }

    @Test func `A client absent since before the broker's start keeps its own messages`()
        async throws
    {
        try await withDoor { door in
            for (absentee, mayKeep) in [
                ("alice.phone", true), ("bob.phone", true), ("carol.phone", false),
                ("alice.watch", false), ("alice.", false), ("alice", false),
                ("nobody.phone", false), ("kith:bridge.1", true), ("kith:operator.1", false),
                ("Alice.phone", false), ("", false),
            ] {
                let client = door.newClient()
                #expect(
                    door.mayReceive(FamilyTopic.alerts, client, absentee: absentee) == mayKeep,
                    "\(absentee)")
            }
            // Ids that any client may have had belong to no one.
            for id in ["alice-phone", "bob.phone", "alice.phone.2"] {
                let client = door.newClient()
                #expect(
                    !door.mayReceive(FamilyTopic.alerts, client, absentee: "alice.phone", id: id))
            }
            let (alice, bob) = (door.newClient(), door.newClient())
            #expect(door.mayReceive(RevocationTests.replies, alice, absentee: "alice.phone"))
            #expect(!door.mayReceive(RevocationTests.replies, bob, absentee: "bob.phone"))
        }
    }

    @Test func `All changes to many users are noticed, including silent ones`() async throws {
        try await withDoor { door in
            for number in 0..<100 {
                let name = try #require(Name("user\(number)"))
                try door.town.add(name, "phone")
                let client = door.enter("user\(number).phone", id: "user\(number).1")
                #expect(client != nil)
            }
            for number in 0..<100 {
                let name = try #require(Name("user\(number)"))
                try door.town.revoke(name, "phone")
            }
            door.pass(.seconds(2))
            #expect(Set(door.cutOffs()).count == 100)
        }
    }

    @Test func `The gatekeeper's memory does not grow with clients that come and go`() async throws
    {
        try await withDoor {
            $0.limits.addressMessages = Allowance(burst: 5_000, perSecond: 20)
            $0.limits.deviceConnections = Allowance(burst: 5_000, perSecond: 200)
        } _: { door in
            for number in 0..<2000 {
                let id = "id\(number)"
                // There are only as many ids of persistent sessions as devices.
                let alice = try #require(
                    door.enter(
                        "alice.phone", id: number % 3 == 0 ? "alice.phone" : id,
                        isContinued: number % 3 == 0, isFive: number % 3 == 1))
                door.leave(alice)
                door.leave(try #require(door.enter("guest\(number)")))
                _ = door.enter("bob.phone", id: id + "x", token: "wrong")
                if number % 50 == 0 { door.pass(.seconds(1)) }
            }
            door.pass(.seconds(2))
            #expect(door.gatekeeper.sessions.count == 1)
            #expect(door.gatekeeper.clientsByID.count == 1)
            #expect(door.gatekeeper.guests.count == 0)
            #expect(door.gatekeeper.parties.isEmpty)
            #expect(door.gatekeeper.leaving.isEmpty)
            #expect(door.gatekeeper.rights.count <= 1)
            _ = door.gatekeeper.takeOrders()
            // The broker forgets them after a week.
            door.pass(.seconds(3600))
            #expect(!door.gatekeeper.sessions.isEmpty)
            door.skip(.seconds(9 * 86_400))
            door.pass(.seconds(1))
            #expect(door.gatekeeper.sessions.isEmpty)
            #expect(door.gatekeeper.clientsByHolder.isEmpty)
            #expect(door.gatekeeper.rights.count == 0)
        }
    }
}
