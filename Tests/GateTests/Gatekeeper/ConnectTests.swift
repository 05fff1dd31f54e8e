import Contract
import Testing

@testable import Gate

struct ConnectTests {
    @Test func `Everybody comes in with what was given to them`() async throws {
        try await withDoor { door in
            for who in [
                "alice.phone", "alice.tablet", "kith:bridge", "kith:operator", "kith:dispatch",
                "visitor",
            ] {
                #expect(door.enter(who) != nil, "\(who)")
            }
        }
    }

    @Test(arguments: [
        ("alice.phone", "bob.phone"), ("alice.phone", "alice.tablet"),
        ("alice.phone", "kith:bridge"), ("kith:bridge", "kith:operator"),
        ("kith:dispatch", "alice.phone"),
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

    @Test func `An id with a dot is its owner's, any other is whose who is there`()
        async throws
    {
        try await withDoor { door in
            #expect(door.enter("bob.phone", id: "alice.x") == nil)
            #expect(door.enter("visitor", id: "alice.x") == nil)
            #expect(door.enter("visitor", id: ".") == nil)
            #expect(door.enter("kith:operator", id: "kith:bridge.1") == nil)
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

    @Test func `Guests are limited, all together and from one address`() async throws {
        try await withDoor {
            $0.limits.guests = 6
            $0.limits.guestsOfAddress = 4
        } _: { door in
            #expect(door.enter("visitor", isContinued: true) == nil)
            let guests = (0..<6).map { door.enter("guest\($0)", from: "10.0.0.1") }
            #expect(guests.count { $0 != nil } == 4)
            let others = (0..<6).map { door.enter("other\($0)", from: "10.0.0.2") }
            #expect(others.count { $0 != nil } == 2)
            door.leave(try #require(guests[0]))
            #expect(door.enter("guest9", from: "10.0.0.2") != nil)
            #expect(door.enter("guest9", from: "10.0.0.2") == nil)
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
                    .all([.device("phone", of: "alice")], isFirst: true, isLast: true)
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
            guard pages.count == 2, case .all(let first, true, false) = pages[0],
                case .all(let second, false, true) = pages[1]
            else {
                Issue.record("\(pages.count) pages")
                return
            }
            #expect(Set(first + second).count == 450)
        }
    }
}
