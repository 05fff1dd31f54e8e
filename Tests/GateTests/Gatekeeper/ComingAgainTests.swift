import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// A device that owes something, and connects again.
struct ComingAgainTests {
    private static let fix = "kith/users/alice/devices/phone/fix"

    /// No unused allowance is left to waiting clients.
    private func withoutGifts(_ body: (Door) throws -> Void) async throws {
        try await withDoor(
            change: { $0.limits.everybodysMessages = Allowance(burst: 0, perSecond: 0.0001) }, body)
    }

    /// One array with each connection, which then breaks; the next one opens a second later.
    ///
    /// - Returns: how long it takes until this many have been accepted.
    private func tell(_ count: Int, _ door: Door) throws -> Duration {
        let start = door.now
        var told = 0
        while told < count {
            let client = try #require(door.enter("alice.phone"))
            let verdict = door.publish(
                ComingAgainTests.fix, size: 65_536, objects: 1000, by: client)
            if verdict == .allowed { told += 1 }
            door.leave(client)
            door.pass(.seconds(1))
            try #require(door.now - start < .seconds(600), "\(told) of \(count) were taken")
        }
        return door.now - start
    }

    @Test func `A phone that reconnects each second gets all its arrays through`() async throws {
        try await withoutGifts { door in
            // Fixes come back at 500 a second.
            let time = try tell(20, door)
            #expect(time < .seconds(45))
        }
    }

    @Test(arguments: [15, 990, 2_015, 2_990])
    func `An indebted device's next array is accepted within a few seconds`(debt: Int) async throws
    {
        try await withoutGifts { door in
            let client = try #require(door.enter("alice.phone"))
            for count in [1_000] + [Int](repeating: debt / 5, count: 5) {
                let verdict = door.publish(
                    ComingAgainTests.fix, size: 3_000, objects: count, by: client)
                #expect(verdict == .allowed)
            }
            door.leave(client)
            let time = try tell(1, door)
            #expect(time <= .seconds(5))
        }
    }

    /// Phones that reconnect to call for help must find room.
    @Test func `Sixteen devices connect hardly more often than their person may`() async throws {
        try await withDoor { door in
            try door.town.add(
                "dora", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12",
                "d13", "d14", "d15", "d16")
            let start = door.now
            var (tried, count) = (0, 0)
            while door.now - start < .seconds(10) {
                tried += 1
                guard let client = door.enter("dora.d\(tried % 16 + 1)") else { continue }
                count += 1
                door.leave(client)
            }
            let limits = GateSettings.Limits()
            let allowed =
                limits.devicesOfPerson
                * (limits.deviceConnections.burst + 10 * limits.deviceConnections.perSecond)
            #expect(tried > 2_400 && Double(count) < 1.5 * allowed, "\(count) of \(tried)")
            // The one device that rarely connects is not delayed by the others.
            door.pass(.seconds(1))
            #expect(door.enter("dora.d1") != nil && door.enter("alice.phone") != nil)
        }
    }

    @Test func `A message that ends the connection is charged to no one`() async throws {
        try await withDoor { door in
            let first = try #require(door.enter("alice.phone"))
            for _ in 0..<4 {
                _ = door.publish(ComingAgainTests.fix, size: 65_536, objects: 1000, by: first)
            }
            door.leave(first)
            let next = try #require(door.enter("alice.phone"))
            let meter = try #require(door.gatekeeper.sessions[next]?.meter)
            let person = try #require(meter.above)
            let before = (
                meter.left(at: door.now), person.left(at: door.now),
                door.gatekeeper.everybodys.left(
                    of: door.gatekeeper.settings.limits.everybodysMessages, at: door.now)
            )
            #expect(
                door.publish(ComingAgainTests.fix, size: 65_536, objects: 1000, by: next)
                    == .cutOff)
            #expect(meter.left(at: door.now) >= before.0)
            #expect(person.left(at: door.now) >= before.1)
            #expect(
                door.gatekeeper.everybodys.left(
                    of: door.gatekeeper.settings.limits.everybodysMessages, at: door.now)
                    >= before.2)
        }
    }

    /// The size of a message, and how many fixes it may hold; the shortest are not fixes.
    private static let kinds = [(65_536, 1000), (42_000, 1000), (3_000, 1000), (65_536, 1), (1, 1)]

    @Test(arguments: kinds)
    func `Reconnecting repeatedly gives a device hardly more than its allowance`(
        size: Int, fixes: Int
    ) async throws {
        try await withoutGifts { door in
            let cost = max(fixes, size / 512)
            let start = door.now
            var (taken, connections) = (0, 0)
            while door.now - start < .seconds(20) {
                if let client = door.enter("alice.phone") {
                    connections += 1
                    for _ in 0..<50 {
                        let verdict = door.publish(
                            ComingAgainTests.fix, size: size, objects: fixes, by: client)
                        guard verdict == .allowed else { break }
                        taken += cost
                    }
                    door.leave(client)
                }
                door.pass(.milliseconds(10))
            }
            let seconds = Int((door.now - start) / .seconds(1)) + 1
            // What it has, what it may owe, and ten with each connection.
            #expect(taken <= 1_000 + 3_000 + 500 * seconds + 10 * connections)
            #expect(taken >= 400 * seconds)
        }
    }

    @Test func `A large request is eventually accepted, however many preceded it`() async throws {
        try await withDoor { door in
            let topic = "kith/users/alice/devices/phone/requests/chat.send"
            let first = try #require(door.enter("alice.phone"))
            for _ in 0..<1_200 { _ = door.publish(topic, by: first) }
            door.leave(first)
            let start = door.now
            var isTaken = false
            while !isTaken, door.now - start < .seconds(30) {
                let client = try #require(door.enter("alice.phone"))
                isTaken = door.publish(topic, size: 60_000, by: client) == .allowed
                door.leave(client)
                door.pass(.seconds(1))
            }
            #expect(isTaken)
        }
    }
}
