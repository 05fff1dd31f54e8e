import Contract
import TestSupport
import Testing

@testable import Gate

/// What the sockets reveal, and no callback does.
struct MeasuringTests {
    private static let fix = "kith/users/alice/devices/phone/fix"
    private static let notices = "kith/users/alice/notices"

    @Test func `A client sending meaningless bytes is paused, and disconnected for more`()
        async throws
    {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone"))
            var read = 294_912
            door.measure(client, read: read)
            door.tick()
            #expect(door.pauses() == [])
            read += 64 * 1_500
            door.measure(client, read: read)
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            door.pass(.seconds(10))
            #expect(door.pauses() == [.resume(client)])
            read += 10_000_000
            door.measure(client, read: read)
            #expect(door.cutOffs() == ["alice.phone"])
            #expect(door.metric("gate-floods-cut-off") == "1")
        }
    }

    @Test func `Reconnecting gives a device no new allowance of meaningless bytes`() async throws {
        try await withDoor { door in
            for number in 0..<3 {
                let client = try #require(door.enter("alice.phone", id: "alice.\(number)"))
                door.measure(client, read: 98_304)
                door.tick()
                #expect(door.pauses() == [])
                door.leave(client)
            }
            let client = try #require(door.enter("alice.phone"))
            door.measure(client, read: 98_304)
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            // For all of a person's devices it is twice as much.
            let tablet = try #require(door.enter("alice.tablet"))
            door.measure(tablet, read: 200_000)
            door.tick()
            #expect(door.pauses() == [])
            let bob = try #require(door.enter("bob.phone"))
            door.measure(bob, read: 294_912)
            door.tick()
            #expect(door.pauses() == [])
        }
    }

    @Test func `A guest's flood is charged to its address`() async throws {
        try await withDoor { door in
            let guest = try #require(door.enter("visitor"))
            door.measure(guest, read: 1_000_000)
            #expect(door.cutOffs() == ["visitor"])
            door.leave(guest)
            #expect(door.enter("visitor") == nil)
            #expect(door.enter("other", from: "10.0.0.2") != nil)
            door.pass(.seconds(60))
            #expect(door.enter("visitor") != nil)
        }
    }

    @Test func `Honest traffic is accounted for, including over TLS and in parts`() async throws {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone"))
            var read = 5_000
            for _ in 0..<200 {
                for _ in 0..<100 {
                    #expect(door.publish(MeasuringTests.fix, size: 60, by: client) == .allowed)
                    read += MeasuringTests.fix.utf8.count + 60 + 7 + 29
                }
                // A large one of which half has arrived.
                door.measure(client, read: read + 32_000)
                door.pass(.seconds(1))
                #expect(door.publish(MeasuringTests.fix, size: 64_000, by: client) == .allowed)
                read += MeasuringTests.fix.utf8.count + 64_000 + 7 + 4 * 29
                // Its acknowledgements.
                for _ in 0..<20 { #expect(door.mayReceive(MeasuringTests.notices, client)) }
                read += 20 * (4 + 29)
            }
            door.measure(client, read: read)
            #expect(door.gatekeeper.refusals.floods == 0)
            #expect(door.gatekeeper.refusals.pauses == 0)
        }
    }

    @Test func `A reader with too long a queue is disconnected`() async throws {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone"))
            door.measure(client)
            var acknowledged = 0
            for second in 0..<40 {
                for _ in 0..<10 {
                    #expect(door.mayReceive(MeasuringTests.notices, client, size: 60_000))
                }
                acknowledged += 50_000
                door.pass(.seconds(1))
                door.measure(client, acknowledged: acknowledged, isDrained: false)
                guard door.cutOffs().isEmpty else {
                    // More than 4 MiB after 8 s, and for 30 s.
                    #expect((36...39).contains(second))
                    break
                }
            }
            #expect(door.metric("gate-readers-cut-off") == "1")
        }
    }

    @Test func `A client that reads everything has an empty queue, however much it is sent`()
        async throws
    {
        try await withDoor { door in
            let client = try #require(door.enter("alice.phone"))
            door.measure(client)
            var acknowledged = 0
            for _ in 0..<100 {
                for _ in 0..<100 {
                    #expect(door.mayReceive(MeasuringTests.notices, client, size: 60_000))
                }
                acknowledged += 100 * 60_100
                door.pass(.seconds(1))
                door.measure(client, acknowledged: acknowledged)
            }
            #expect(door.metric("gate-readers-cut-off") == "0")
            #expect(door.gatekeeper.held == 0)
        }
    }

    @Test func `Messages queued before a phone connects are not held against it`() async throws {
        try await withDoor {
            $0.limits.waiting.bytes = 10_000_000
        } _: { door in
            let client = try #require(door.enter("alice.phone", isContinued: true))
            for _ in 0..<100 {
                #expect(door.mayReceive(MeasuringTests.notices, client, size: 60_000))
            }
            for _ in 0..<60 {
                door.pass(.seconds(1))
                door.measure(client, acknowledged: 0, isDrained: false)
            }
            #expect(door.metric("gate-readers-cut-off") == "0")
        }
    }

    @Test func `When all queues together are too long, a client with a long one is disconnected`()
        async throws
    {
        try await withDoor {
            $0.limits.heldForAll = 2_000_000
        } _: { door in
            let alice = try #require(door.enter("alice.phone"))
            let bob = try #require(door.enter("bob.phone"))
            for client in [alice, bob] { door.measure(client) }
            for _ in 0..<50 {
                #expect(door.mayReceive(MeasuringTests.notices, alice, size: 60_000))
            }
            #expect(door.mayReceive("kith/users/bob/notices", bob, size: 60_000))
            for client in [alice, bob] { door.measure(client, isDrained: false) }
            #expect(door.cutOffs() == ["alice.phone"])
            door.leave(alice)
            #expect(door.gatekeeper.held < 100_000)
        }
    }

    @Test func `The bridge is never measured`() async throws {
        try await withDoor { door in
            let bridge = try #require(door.enter("kith:bridge"))
            for _ in 0..<1_000 {
                #expect(door.mayReceive(MeasuringTests.fix, bridge, size: 60_000))
            }
            for _ in 0..<100 {
                door.pass(.seconds(1))
                door.measure(bridge, read: 1_000_000_000, isDrained: false)
            }
            #expect(door.cutOffs().isEmpty)
        }
    }
}
