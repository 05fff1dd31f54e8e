import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

struct ConnectTests {
    @Test func `Every client connects with its own credentials`() async throws {
        try await withDoor { door in
            for who in [
                "alice.phone", "alice.tablet", "kith:bridge", "kith:operator", "kith:dispatch",
                "kith:metrics", "visitor",
            ] {
                #expect(door.enter(who) != nil, "\(who)")
            }
        }
    }

    @Test func `Clients are admitted only after the bridge has subscribed to every input`()
        async throws
    {
        try await withDoor(change: { $0.awaitsBridge = true }) { door in
            #expect(door.enter("alice.phone") == nil && door.enter("visitor") == nil)
            let own = try #require(door.enter("kith:operator"))
            let bridge = try #require(door.enter("kith:bridge"))
            for filter in TopicSpace().inputs {
                #expect(door.enter("alice.phone") == nil, "before \(filter)")
                // Other subscribers do not store it, and a QoS 0 subscription queues nothing.
                _ = door.subscribe(filter, by: own)
                #expect(door.subscribe(filter, qos: 0, by: bridge))
                #expect(door.enter("alice.phone") == nil, "before \(filter)")
                #expect(door.subscribe(filter, by: bridge))
            }
            #expect(door.enter("alice.phone") != nil && door.enter("visitor") != nil)
            // Messages sent while it is away are queued for it.
            door.leave(bridge)
            #expect(door.enter("alice.tablet") != nil)
        }
    }

    @Test(arguments: [
        ("alice.phone", "bob.phone"), ("alice.phone", "alice.tablet"),
        ("alice.phone", "kith:bridge"), ("kith:bridge", "kith:operator"),
        ("kith:dispatch", "alice.phone"), ("kith:operator", "kith:metrics"),
    ])
    func `A token grants only its own device's rights`(who: String, owner: String) async throws {
        try await withDoor { door in
            // Alice's phone may claim to be Alice's tablet: the token decides which it is.
            let isSameUser = owner.hasPrefix(who.prefix { $0 != "." })
            let client = door.enter(who, token: try door.town.token(owner))
            #expect((client != nil) == isSameUser)
            guard let client else { return }
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: client) == .refused)
            #expect(door.publish("kith/users/alice/devices/tablet/fix", by: client) == .allowed)
        }
    }

    /// Swift compares them in time quadratic in their number: a single comparison would hold the
    /// broker longer than everything done here.
    @Test func `A name of many combining marks is refused without a comparison`() async throws {
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
        // Ids that libraries and programs choose if they are given none.
        ("mosqsub|4711-host.example.org", true, true), ("mosq-aBcDeFgH", true, true),
        ("auto-0A1B2C3D-0000-1111-2222-333344445555", true, true),
        ("mqttjs_1a2b3c4d", true, true), ("go_1763795400", true, true),
        ("paho/0123456789ABCDEF", true, false), ("paho1763795400000000", true, true),
        ("ESP8266Client-1a2b", true, true), ("my.app.client", true, true), (".", true, true),
        ("a/+/#", true, false), (String(repeating: "a", count: 129), true, false),
        (String(repeating: "a", count: 512), true, false),
        (String(repeating: "a", count: 513), false, false),
        // Ids under which messages may be queued for a device, or for the service.
        ("carol.phone", false, false), ("nobody.phone", false, false),
        ("kith:bridge.1", false, false), ("kith:bridge", false, false), ("kith:x", false, false),
        // No device has such a name.
        ("carol.x", true, true), ("carol.phone.2", true, true), ("Carol.phone", true, true),
    ])
    func `An unowned id is open to devices, and to guests if it is valid in topics`(
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

    @Test func `The user whose name an id begins with gets it, even from another user`()
        async throws
    {
        try await withDoor { door in
            let bob = try #require(door.enter("bob.phone", id: "alice.x.y"))
            #expect(door.enter("carol.phone", id: "alice.x.y") == nil)
            let alice = try #require(door.enter("alice.phone", id: "alice.x.y"))
            #expect(door.enter("bob.phone", id: "alice.x.y") == nil)
            door.leave(bob)
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: alice) == .allowed)
        }
    }

    @Test func `Any other id belongs to the user connected under it`() async throws {
        try await withDoor { door in
            let held = try #require(door.enter("alice.phone", id: "x", isFive: true))
            #expect(door.enter("bob.phone", id: "x") == nil)
            #expect(door.enter("visitor", id: "x") == nil)
            #expect(door.enter("alice.tablet", id: "x") != nil)
            door.leave(held)
        }
    }

    @Test func `A session that ends with its connection frees its id`() async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone", id: "x"))
            #expect(door.enter("bob.phone", id: "x") == nil)
            door.leave(alice)
            #expect(door.enter("bob.phone", id: "x") != nil)
        }
    }

    @Test func `A guest has no persistent session`() async throws {
        try await withDoor { door in
            #expect(door.enter("visitor", isContinued: true) == nil)
        }
    }

    @Test func `Guests in one IPv6 /64 are counted together`() async throws {
        try await withDoor {
            $0.limits.guestsOfAddress = 2
        } _: { door in
            #expect(door.enter("a", from: "2001:db8:0:1::1") != nil)
            #expect(door.enter("b", from: "2001:db8:0:1:ffff::2") != nil)
            #expect(door.enter("c", from: "2001:db8:0:1:8000::3") == nil)
            #expect(door.enter("d", from: "2001:db8:0:2::1") != nil)
        }
    }

    @Test func `Guests in one IPv6 /64 share a message allowance`() async throws {
        try await withDoor {
            $0.limits.addressMessages = Allowance(burst: 2, perSecond: 0.001)
        } _: { door in
            #expect(door.enter("a", from: "2001:db8:0:1::1") != nil)
            #expect(door.enter("b", from: "2001:db8:0:1:ffff::2") != nil)
            #expect(door.enter("c", from: "2001:db8:0:1:8000::3") == nil)
            #expect(door.enter("d", from: "2001:db8:0:2::1") != nil)
        }
    }

    @Test func `A client at a reused memory address inherits no rights`() async throws {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone", isFive: true))
            door.leave(client)
            // The broker has freed that client, and makes another in its place.
            #expect(door.enter("bob.phone", token: "wrong", as: client) == nil)
            #expect(door.publish("kith/users/alice/devices/phone/status", by: client) == .refused)
            #expect(!door.mayReceive("kith/groups/FamilyFamilyFamily_-09/alerts", client))
        }
    }

    @Test func `Reports cover a device's first connection and last disconnection`() async throws {
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

    @Test func `Many connected clients are reported in pages`() async throws {
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
