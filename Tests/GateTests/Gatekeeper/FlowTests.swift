import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// A client that exceeds its allowance waits, and loses nothing.
struct FlowTests {
    private static let fix = "kith/users/alice/devices/phone/fix"
    private static let sos = "kith/users/alice/devices/phone/requests/sos.trigger"

    private func withThrift(_ body: (Door) throws -> Void) async throws {
        try await withDoor(
            change: {
                $0.limits.deviceMessages = Allowance(burst: 100, perSecond: 10)
                $0.limits.deviceRequests = Allowance(burst: 5, perSecond: 1)
                $0.limits.everybodysMessages = Allowance(burst: 10, perSecond: 100)
                $0.limits.leastToResume = 1
            }, body)
    }

    /// Sends what the broker reads of it: one message between two ticks, while it is not paused.
    ///
    /// - Returns: how long it took.
    private func send(_ count: Int, _ door: Door, by client: Gatekeeper.Client) throws -> Duration {
        let start = door.now
        var (sent, isPaused) = (0, false)
        while sent < count {
            if !isPaused {
                try #require(door.publish(FlowTests.fix, by: client) == .allowed)
                sent += 1
            }
            door.tick(after: .milliseconds(isPaused ? 100 : 0))
            for order in door.pauses() {
                if order == .pause(client) { isPaused = true }
                if order == .resume(client) { isPaused = false }
            }
        }
        return door.now - start
    }

    @Test func `A phone with a long backlog is slowed down and never disconnected`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            let time = try send(5_000, door, by: client)
            // With its own allowance alone it would be 490 s.
            #expect(time > .seconds(40) && time < .seconds(60))
            #expect(door.gatekeeper.refusals.cutOff == 0)
            #expect(door.gatekeeper.refusals.pauses > 100)
            #expect(door.gatekeeper.refusals.paused > .seconds(30))
            #expect(door.gatekeeper.debtors.isEmpty)
        }
    }

    @Test func `Neither fixes nor another connection use up a client's requests`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone", id: "alice.1"))
            let other = try #require(door.enter("alice.phone", id: "alice.2"))
            for _ in 0..<200 { #expect(door.publish(FlowTests.fix, by: client) == .allowed) }
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            #expect(door.publish(FlowTests.sos, by: other) == .allowed)
            #expect(door.enter("alice.phone", id: "alice.3") != nil)
            door.tick()
            #expect(door.pauses() == [])
            for _ in 0..<50 { #expect(door.publish(FlowTests.sos, by: client) == .allowed) }
            #expect(door.publish(FlowTests.sos, by: other) == .allowed)
        }
    }

    @Test func `Requests on another user's topic count as messages`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            let topic = "kith/users/bob/devices/phone/requests/sos.trigger"
            for _ in 0..<7 { #expect(door.publish(topic, by: client) == .refused) }
            door.tick()
            #expect(door.pauses() == [])
        }
    }

    @Test func `A broker's write to a paused client pauses it again`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            for _ in 0..<300 { _ = door.publish(FlowTests.fix, by: client) }
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            door.tick()
            #expect(door.pauses() == [])
            #expect(door.mayReceive("kith/users/alice/notices", client))
            door.tick()
            #expect(door.pauses() == [.pause(client)])
        }
    }

    @Test func `A client that leaves while paused is forgotten and pauses no other`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            for _ in 0..<300 { _ = door.publish(FlowTests.fix, by: client) }
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            door.leave(client)
            let next = try #require(door.enter("bob.phone", as: client))
            door.pass(.seconds(60))
            #expect(door.pauses() == [])
            #expect(door.publish("kith/users/bob/devices/phone/fix", by: next) == .allowed)
            #expect(door.gatekeeper.debtors.isEmpty)
        }
    }

    @Test func `Unused allowance is shared among waiting clients`() async throws {
        try await withThrift { door in
            let alice = try #require(door.enter("alice.phone"))
            let bob = try #require(door.enter("bob.phone"))
            for _ in 0..<250 {
                _ = door.publish(FlowTests.fix, by: alice)
                _ = door.publish("kith/users/bob/devices/phone/fix", by: bob)
            }
            door.tick()
            #expect(Set(door.pauses()) == [.pause(alice), .pause(bob)])
            // Each owes 150; in a second there are 10 of its own and 50 of what is left.
            door.pass(.seconds(2))
            #expect(door.pauses() == [])
            door.pass(.seconds(1))
            #expect(Set(door.pauses()) == [.resume(alice), .resume(bob)])
        }
    }

    // MARK: Filters

    @Test func `Filters are charged, so a packet full of them ends the connection`() async throws {
        try await withDoor { door in
            let alice = try #require(door.enter("alice.phone"))
            let filter = "kith/users/alice/notices"
            let granted = (0..<10_000).first { _ in
                door.gatekeeper.subscribe(filter, qos: 0, by: alice, at: door.now) == .cutOff
            }
            #expect(granted ?? 10_000 < 5_000)
            let bob = try #require(door.enter("bob.phone"))
            let given = (0..<10_000).first { _ in
                door.gatekeeper.unsubscribe("a", by: bob, at: door.now) == .cutOff
            }
            #expect(given ?? 10_000 < 5_000)
            let guest = try #require(door.enter("visitor"))
            let own = "kith/guests/visitor/replies"
            #expect((0..<100).first { _ in !door.subscribe(own, by: guest) } ?? 100 < 50)
            let bridge = try #require(door.enter("kith:bridge"))
            for _ in 0..<10_000 { #expect(door.subscribe("kith/groups/#", by: bridge)) }
        }
    }

    @Test func `A filter for all areas costs more than one for its own`() async throws {
        try await withDoor { door in
            let visitor = try #require(door.enter("visitor"))
            #expect(door.publish("kith/guests/visitor/requests/x", by: visitor) == .allowed)
            let verdicts = (0..<5).map { _ in
                door.gatekeeper.subscribe("+/groups/#", qos: 0, by: visitor, at: door.now)
            }
            #expect(verdicts == [.refused, .refused, .refused, .cutOff, .cutOff])
        }
    }

    @Test func `Retained messages are charged to a client that keeps requesting them`() async throws
    {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            for _ in 0..<10 {
                #expect(door.subscribe("kith/groups/\(GroupKey.family)/#", by: client))
                for _ in 0..<200 { #expect(door.mayReceive(FamilyTopic.alice, client)) }
            }
            door.tick()
            #expect(door.pauses() == [.pause(client)])
            // Later messages are not its own doing.
            door.pass(.seconds(60))
            _ = door.pauses()
            for _ in 0..<5_000 { #expect(door.mayReceive(FamilyTopic.alice, client)) }
            door.tick()
            #expect(door.pauses() == [])
        }
    }
}
