import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// Sessions that outlast their connection, and their owners.
struct LastingTests {
    @Test(arguments: [
        ("alice.phone", "alice.phone", true), ("alice.tablet", "alice.tablet", true),
        ("alice.tablet", "alice.phone", false), ("alice.phone", "alice.phone.2", false),
        ("alice.phone", "alice.", false), ("alice.phone", "alicephone", false),
        ("alice.phone", "x", false), ("visitor", "visitor", false),
        ("kith:bridge", "kith:bridge.1", true), ("kith:bridge", "bridge", false),
        ("kith:operator", "kith:operator.desk", true),
        // Its token is stored on another machine, and nothing it receives needs to be queued.
        ("kith:metrics", "kith:metrics.1", false), ("kith:metrics", "kith:metrics", false),
    ])
    func `A session persists only under its device's id`(who: String, id: String, mayLast: Bool)
        async throws
    {
        try await withDoor { door in
            let client = door.enter(who, id: id, isContinued: true)
            #expect((client != nil) == mayLast)
            #expect(door.metric("gate-sessions-refused") == (mayLast ? "0" : "1"))
        }
    }

    @Test func `Ids that begin like the service's own program names are reserved`() {
        for system in Principal.System.allCases {
            #expect(system.rawValue.hasPrefix(Principal.System.beginning))
            #expect(SessionID(system.rawValue)?.isReserved == true)
        }
        for id in ["kith:later.1", "service:clinic", "share:1", "observer:1"] {
            #expect(SessionID(id)?.isReserved == true, "\(id)")
        }
        for id in ["kith", "phone-1", "alice"] {
            #expect(SessionID(id)?.isReserved == false, "\(id)")
        }
    }

    @Test func `Two thousand abandoned sessions retain nothing`() async throws {
        try await withDoor {
            $0.limits.deviceMessages = Allowance(burst: 50_000, perSecond: 500)
            $0.limits.deviceConnections = Allowance(burst: 50_000, perSecond: 500)
        } _: { door in
            var left: [Gatekeeper.Client] = []
            for number in 0..<2000 {
                #expect(door.enter("alice.phone", id: "alice.\(number)", isContinued: true) == nil)
                // MQTT 5 states in a property, which the gate does not see, whether it may be kept.
                let client = try #require(
                    door.enter("alice.phone", id: "alice.\(number)", isFive: true))
                #expect(door.subscribe("kith/users/alice/notices", by: client))
                door.leave(client)
                left.append(client)
            }
            for client in left {
                #expect(!door.mayReceive("kith/users/alice/notices", client))
            }
            door.pass(.seconds(2))
            for (number, client) in left.enumerated() {
                #expect(
                    !door.mayReceive(
                        "kith/users/alice/notices", client, absentee: "alice.phone",
                        id: "alice.\(number)"))
            }
            #expect(door.gatekeeper.sessions.isEmpty)
        }
    }

    @Test func `A user name's new owner gets nothing queued for the former one`() async throws {
        try await withDoor { door in
            let notices = "kith/users/carol/notices"
            let former = try #require(door.enter("carol.phone", isContinued: true))
            #expect(door.subscribe(notices, by: former))
            door.leave(former)
            #expect(door.mayReceive(notices, former))
            try door.town.erase("carol")
            #expect(!door.mayReceive(notices, former))
            try door.town.add("carol", since: .oneOClock, "phone")
            #expect(!door.mayReceive(notices, former))
            let carol = try #require(door.enter("carol.phone", isContinued: true))
            // Had the former one been connected, its will and its end would follow now.
            _ = door.publish("kith/users/carol/devices/phone/status", by: former)
            door.leave(former)
            // The broker asks about queued messages as soon as it has admitted her.
            #expect(!door.mayReceive(notices, carol))
            door.pass(.milliseconds(100))
            #expect(door.mayReceive(notices, carol))
            door.leave(carol)
            #expect(door.mayReceive(notices, carol))
            let again = try #require(door.enter("carol.phone", isContinued: true))
            #expect(door.mayReceive(notices, again))
        }
    }

    @Test func `Messages saved by the broker are withheld from a younger account`() async throws {
        try await withDoor { door in
            let notices = "kith/users/dora/notices"
            door.pass(.milliseconds(100))
            try door.town.add("dora", since: .oneOClock, "phone")
            let dora = try #require(door.enter("dora.phone", isContinued: true))
            #expect(!door.mayReceive(notices, dora))
            // Answers to what she sends are hers, although it all arrived in one packet.
            #expect(door.subscribe(notices, by: dora))
            #expect(door.mayReceive(notices, dora))
            door.leave(dora)
            #expect(door.mayReceive(notices, dora))
        }
    }

    @Test func `A user name reused after the broker's start gets no earlier messages`() async throws
    {
        try await withDoor { door in
            try door.town.erase("carol")
            door.pass(.milliseconds(100))
            let former = door.newClient()
            let notices = "kith/users/carol/notices"
            #expect(!door.mayReceive(notices, former, absentee: "carol.phone"))
            try door.town.add("carol", since: .oneOClock, "phone")
            #expect(!door.mayReceive(notices, former, absentee: "carol.phone"))
            let carol = try #require(door.enter("carol.phone", isContinued: true))
            #expect(!door.mayReceive(notices, carol))
        }
    }
}
