import Contract
import Limits
import TestTown
import Testing

@testable import Gate

struct ConnectTests {
    @Test func `Everybody comes in with what was given to them`() async throws {
        try await withDoor { door in
            for who in [
                "alice.phone", "alice.tablet", "kith:bridge", "kith:operator", "kith:dispatch",
                "kith:metrics", "visitor",
            ] {
                #expect(door.enter(who) != nil, "\(who)")
            }
        }
    }

    @Test func `Nobody else comes in before the bridge hears all that devices send`() async throws {
        try await withDoor(change: { $0.awaitsBridge = true }) { door in
            #expect(door.enter("alice.phone") == nil && door.enter("visitor") == nil)
            let own = try #require(door.enter("kith:operator"))
            let bridge = try #require(door.enter("kith:bridge"))
            for filter in TopicSpace().inputs {
                #expect(door.enter("alice.phone") == nil, "before \(filter)")
                // Whoever else hears it does not keep it, and nothing waits that was asked for so.
                _ = door.subscribe(filter, by: own)
                #expect(door.subscribe(filter, qos: 0, by: bridge))
                #expect(door.enter("alice.phone") == nil, "before \(filter)")
                #expect(door.subscribe(filter, by: bridge))
            }
            #expect(door.enter("alice.phone") != nil && door.enter("visitor") != nil)
            // What comes while it is away waits for it.
            door.leave(bridge)
            #expect(door.enter("alice.tablet") != nil)
        }
    }

    @Test(arguments: [
        ("alice.phone", "bob.phone"), ("alice.phone", "alice.tablet"),
        ("alice.phone", "kith:bridge"), ("kith:bridge", "kith:operator"),
        ("kith:dispatch", "alice.phone"), ("kith:operator", "kith:metrics"),
    ])
    func `Another's token opens nothing but what is its own`(who: String, owner: String)
        async throws
    {
        try await withDoor { door in
            // Alice's phone may well say that it is Alice's tablet: the token says which it is.
            let isSameUser = owner.hasPrefix(who.prefix { $0 != "." })
            let client = door.enter(who, token: try door.town.token(owner))
            #expect((client != nil) == isSameUser)
            guard let client else { return }
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: client) == .refused)
            #expect(door.publish("kith/users/alice/devices/tablet/fix", by: client) == .allowed)
        }
    }

    /// Swift compares them in a time that grows with the square of their number: one comparison would
    /// hold the broker longer than all that is done here.
    @Test func `A name of many combining marks is compared with none`() async throws {
        try await withDoor { door in
            let name =
                String(repeating: "\u{345}", count: 16_000)
                + String(repeating: "\u{334}", count: 16_000)
            let introductions = [(name, "x"), ("kith:bridge", name + ".x")].map {
                Gatekeeper.Introduction(
                    clientID: "x", username: $0, password: $1, address: "10.0.0.1",
                    isContinued: false, mayKeepNewSession: false)
            }
            let clock = ContinuousClock()
            let comparison = clock.measure { #expect(name != "kith:bridge") }
            let connecting = clock.measure {
                for introduction in introductions {
                    let client = door.newClient()
                    let verdict = door.gatekeeper.connect(introduction, as: client, at: door.now)
                    #expect(verdict == .refused)
                }
            }
            #expect(connecting < comparison)
        }
    }

    @Test(arguments: [
        // What libraries and programs choose where nobody has given them an id.
        ("mosqsub|4711-host.example.org", true, true), ("mosq-aBcDeFgH", true, true),
        ("auto-0A1B2C3D-0000-1111-2222-333344445555", true, true),
        ("mqttjs_1a2b3c4d", true, true), ("go_1763795400", true, true),
        ("paho/0123456789ABCDEF", true, false), ("paho1763795400000000", true, true),
        ("ESP8266Client-1a2b", true, true), ("my.app.client", true, true), (".", true, true),
        ("a/+/#", true, false), (String(repeating: "a", count: 129), true, false),
        (String(repeating: "a", count: 512), true, false),
        (String(repeating: "a", count: 513), false, false),
        // Under which something may wait for a device, or for the service.
        ("carol.phone", false, false), ("nobody.phone", false, false),
        ("kith:bridge.1", false, false), ("kith:bridge", false, false), ("kith:x", false, false),
        // Nobody's device is called so.
        ("carol.x", true, true), ("carol.phone.2", true, true), ("Carol.phone", true, true),
    ])
    func `An id that is nobody's is whose who comes, and a guest's stands in topics`(
        id: String, mayDevice: Bool, mayGuest: Bool
    ) async throws {
        try await withDoor { door in
            let device = door.enter("alice.phone", id: id)
            #expect((device != nil) == mayDevice)
            if let device { door.leave(device) }
            let guest = door.enter("visitor", id: id)
            #expect((guest != nil) == mayGuest)
            let refused = [mayDevice, mayGuest].count { !$0 }
            #expect(door.metric("gate-ids-refused") == "\(refused)")
            #expect(door.metric("gate-connections-refused") == "0")
        }
    }

    @Test func `Whose name an id begins with gets it, whoever is there`() async throws {
        try await withDoor { door in
            let bob = try #require(door.enter("bob.phone", id: "alice.x.y"))
            #expect(door.enter("carol.phone", id: "alice.x.y") == nil)
            let alice = try #require(door.enter("alice.phone", id: "alice.x.y"))
            #expect(door.enter("bob.phone", id: "alice.x.y") == nil)
            door.leave(bob)
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: alice) == .allowed)
        }
    }

    @Test func `Any other id is whose who is there`() async throws {
        try await withDoor { door in
            let held = try #require(door.enter("alice.phone", id: "x", isFive: true))
            #expect(door.enter("bob.phone", id: "x") == nil)
            #expect(door.enter("visitor", id: "x") == nil)
            #expect(door.enter("alice.tablet", id: "x") != nil)
            door.leave(held)
        }
    }

    @Test func `A session that ends with its connection leaves its id to others`() async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone", id: "x"))
            #expect(door.enter("bob.phone", id: "x") == nil)
            door.leave(alice)
            #expect(door.enter("bob.phone", id: "x") != nil)
        }
    }

    @Test func `A guest has no session that lasts`() async throws {
        try await withDoor { door in
            #expect(door.enter("visitor", isContinued: true) == nil)
        }
    }

    @Test func `Guests of half an IPv6 address, which is one place, are counted together`()
        async throws
    {
        try await withDoor {
            $0.limits.guestsOfAddress = 2
        } _: { door in
            #expect(door.enter("a", from: "2001:db8:0:1::1") != nil)
            #expect(door.enter("b", from: "2001:db8:0:1:ffff::2") != nil)
            #expect(door.enter("c", from: "2001:db8:0:1:8000::3") == nil)
            #expect(door.enter("d", from: "2001:db8:0:2::1") != nil)
        }
    }

    @Test func `Guests of half an IPv6 address share what they may say`() async throws {
        try await withDoor {
            $0.limits.addressMessages = Allowance(burst: 2, perSecond: 0.001)
        } _: { door in
            #expect(door.enter("a", from: "2001:db8:0:1::1") != nil)
            #expect(door.enter("b", from: "2001:db8:0:1:ffff::2") != nil)
            #expect(door.enter("c", from: "2001:db8:0:1:8000::3") == nil)
            #expect(door.enter("d", from: "2001:db8:0:2::1") != nil)
        }
    }

    @Test func `Who was let in at an address in memory is not who comes to it later`() async throws
    {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone", isFive: true))
            door.leave(client)
            // The broker has freed that client, and makes another in its place.
            #expect(door.enter("bob.phone", token: "wrong", as: client) == nil)
            #expect(door.publish("kith/users/alice/devices/phone/status", by: client) == .refused)
            #expect(!door.mayReceive("kith/groups/FamilyFamilyFamily_-09/alerts", client))
        }
    }

    @Test func `Reports say who came first and who left last`() async throws {
        try await withDoor { door in
            let bridge = try #require(door.enter("kith:bridge"))
            let (first, second) = (
                door.enter("alice.phone", id: "a"), door.enter("alice.phone", id: "b")
            )
            #expect(try door.reports() == [.connected(.device("phone", of: "alice"))])
            #expect(door.subscribe("kith/bridge/connections", by: bridge))
            door.pass(.milliseconds(100))
            #expect(
                try door.reports() == [
                    .all(
                        [.device("phone", of: "alice")], isFirst: true, isLast: true,
                        gate: kithVersionText)
                ])
            door.leave(try #require(first))
            #expect(try door.reports() == [])
            door.skip(.milliseconds(100))
            door.leave(try #require(second))
            door.leave(try #require(second))
            #expect(try door.reports() == [.disconnected(.device("phone", of: "alice"))])
        }
    }

    @Test func `Many who are there are reported in pages`() async throws {
        try await withDoor {
            $0.limits.guestsOfAddress = 1000
        } _: { door in
            let bridge = try #require(door.enter("kith:bridge"))
            for number in 0..<450 { #expect(door.enter("guest\(number)") != nil) }
            _ = door.gatekeeper.takeOrders()
            #expect(door.subscribe("kith/bridge/connections", by: bridge))
            door.pass(.milliseconds(100))
            let pages = try door.reports()
            guard pages.count == 2, case .all(let first, true, false, _) = pages[0],
                case .all(let second, false, true, _) = pages[1]
            else {
                Issue.record("\(pages.count) pages")
                return
            }
            #expect(Set(first + second).count == 450)
        }
    }
}
