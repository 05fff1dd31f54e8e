import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// Guests' places, when they are scarce.
struct GuestTests {
    private func withFewPlaces(_ body: (Door) throws -> Void) async throws {
        try await withDoor(
            change: {
                $0.limits.guests = 6
                $0.limits.guestsOfAddress = 4
                $0.limits.patienceWithGuests = .seconds(10)
                $0.limits.guestMessages = Allowance(burst: 1000, perSecond: 1)
            }, body)
    }

    private func enter(_ name: String, _ count: Int, _ door: Door, from address: String)
        -> [Gatekeeper.Client]
    {
        (0..<count).compactMap { door.enter("\(name)\($0)", from: address) }
    }

    private func speak(_ name: String, _ door: Door, _ client: Gatekeeper.Client) {
        let topic = "kith/guests/\(name)/requests/account.login"
        #expect(door.publish(topic, by: client) == .allowed)
    }

    @Test func `An address has a number of places, and silent guests there make room`() async throws
    {
        try await withFewPlaces { door in
            let guests = enter("guest", 5, door, from: "10.0.0.1")
            #expect(guests.count == 4)
            #expect(door.cutOffs() == [])
            door.pass(.seconds(9))
            speak("guest0", door, guests[0])
            door.pass(.seconds(2))
            #expect(door.enter("next", from: "10.0.0.1") != nil)
            #expect(door.cutOffs() == ["guest1"], "who spoke stays")
            #expect(door.enter("other", from: "10.0.0.1") != nil)
            #expect(door.enter("another", from: "10.0.0.1") != nil)
            #expect(door.cutOffs() == ["guest2", "guest3"])
            #expect(door.enter("last", from: "10.0.0.1") == nil, "nobody has been silent for long")
            #expect(door.metric("gate-guests-ended") == "3")
            #expect(door.metric("gate-guests-put-off") == "2")
            #expect(door.gatekeeper.refusals.connections == 0)
        }
    }

    @Test func `Silent guests lock no one out`() async throws {
        try await withFewPlaces { door in
            #expect(enter("a", 4, door, from: "10.0.0.1").count == 4)
            #expect(enter("b", 2, door, from: "10.0.0.2").count == 2)
            door.pass(.seconds(10))
            for number in 0..<20 {
                let client = try #require(door.enter("c\(number)", from: "10.0.0.3"))
                speak("c\(number)", door, client)
                door.leave(client)
            }
            #expect(door.cutOffs() == ["a0"])
        }
    }

    @Test func `With no silent guests, an address with many makes room for one with fewer`()
        async throws
    {
        try await withFewPlaces { door in
            let (many, few) = (
                enter("a", 4, door, from: "10.0.0.1"), enter("b", 2, door, from: "10.0.0.2")
            )
            for (number, client) in many.enumerated() { speak("a\(number)", door, client) }
            for (number, client) in few.enumerated() { speak("b\(number)", door, client) }
            #expect(door.enter("c", from: "10.0.0.3") != nil)
            #expect(door.cutOffs() == ["a0"])
            #expect(door.enter("b2", from: "10.0.0.2") == nil, "then both would have three")
            #expect(door.enter("a4", from: "10.0.0.1") == nil)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func `The page's guests on this machine have places of their own`(address: String) async throws
    {
        try await withFewPlaces { door in
            #expect(enter("a", 4, door, from: "10.0.0.1").count == 4)
            #expect(enter("b", 2, door, from: "10.0.0.2").count == 2)
            let page = enter("web", 4, door, from: address)
            #expect(page.count == 4)
            door.pass(.seconds(60))
            #expect(door.enter("c", from: "10.0.0.3") != nil)
            #expect(door.cutOffs().count == 1)
            speak("web0", door, page[0])
            for client in page { door.leave(client) }
            #expect(door.gatekeeper.guests.count == 6)
        }
    }

    @Test func `A displaced guest is counted once, whenever the broker disconnects it`()
        async throws
    {
        try await withFewPlaces { door in
            let guests = enter("a", 4, door, from: "10.0.0.1")
            door.pass(.seconds(10))
            let next = try #require(door.enter("next", from: "10.0.0.1"))
            #expect(door.gatekeeper.guests.count == 4)
            door.leave(guests[0])
            door.leave(guests[0])
            #expect(door.gatekeeper.guests.count == 4)
            for client in guests.dropFirst() + [next] { door.leave(client) }
            #expect(door.gatekeeper.guests.count == 0)
        }
    }

    @Test func `A guest without an allowance takes no one's place`() async throws {
        try await withDoor {
            $0.limits.guests = 1
            $0.limits.addressMessages = Allowance(burst: 1, perSecond: 0.001)
        } _: { door in
            door.leave(try #require(door.enter("bad", from: "10.0.0.1")))
            #expect(door.enter("good", from: "10.0.0.2") != nil)
            door.pass(.seconds(10))
            #expect(door.enter("bad", from: "10.0.0.1") == nil)
            #expect(door.cutOffs() == [])
        }
    }
}
