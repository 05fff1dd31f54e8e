import Contract
import JSON
import Limits
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// The work that a person causes delays only that person.
struct FairnessTests {
    /// Alice and Bob; Alice has a small budget, which refills for about ten requests a second.
    static func world(_ wrap: (any Driver) -> any Driver = { $0 }) throws -> World {
        var settings = BridgeSettings()
        settings.fairness.allowance = Allowance(burst: 100, perSecond: 100)
        let world = try World.withFamily(settings, wrap: wrap)
        world.goesOn = false
        world.sleep(.seconds(60))
        _ = world.published()
        return world
    }

    private func requests(
        _ world: World, _ sender: Sender, _ count: Int, _ method: String = "members.get"
    ) -> [Message] {
        (0..<count).map {
            world.requestMessage(
                sender, method, #"{"id":\#($0),"group":"$family","text":"\#($0)"}"#)
        }
    }

    /// The answers in order: `alice 3 ok`.
    private func answers(_ publications: [Publication], _ world: World) -> [String] {
        publications.compactMap { publication in
            guard case .replies(let user, _, _) = world.topics.parse(publication.topic)
            else { return nil }
            let reply = JSONValue.read(publication.payload)
            let id = reply["id"]?.integer.map { "\($0)" } ?? "-"
            return "\(user) \(id) \(reply.outcome)"
        }
    }

    /// Runs turns until no request is waiting.
    private func drain(_ world: World, _ limit: Int = 5000) throws -> [Publication] {
        var all: [Publication] = []
        for _ in 0..<limit where world.engine.heldBack > 0 {
            let next = try #require(world.engine.nextRelease(at: world.now))
            world.sleep(next - world.now)
            all += try world.turn()
        }
        #expect(world.engine.heldBack == 0)
        return all
    }

    @Test func `A user's 500 requests do not delay another user's request and SOS`() throws {
        let world = try World.withFamily()
        world.goesOn = false
        let answered = answers(
            try world.turn(
                requests(world, "alice", 500, "sharing.list") + [
                    world.requestMessage("bob", "group.list", #"{"id":7}"#),
                    world.requestMessage("bob", "sos.trigger", #"{"id":8}"#),
                ]), world)
        #expect(answered.first == "bob 8 ok")
        #expect(answered.contains("bob 7 ok"))
        #expect(answered.contains("alice 0 ok"))
        #expect(world.engine.heldBack > 0, "the others of Alice's wait")
    }

    @Test func `Waiting requests are done later, once and in order`() throws {
        let world = try Self.world()
        var answered = answers(try world.turn(requests(world, "alice", 60, "chat.send")), world)
        #expect(answered.count < 20)
        #expect(try world.count("waiting_requests") == 60 - answered.count)
        #expect(world.engine.metrics["requests-waiting"] == Int64(60 - answered.count))
        #expect(world.engine.metrics["requests-put-off"] == Int64(60 - answered.count))
        answered += answers(try drain(world), world)
        #expect(answered.map { $0.split(separator: " ")[1] } == (0..<60).map { "\($0)" })
        #expect(try world.count("waiting_requests") == 0)
        #expect(world.engine.metrics["requests-waiting"] == 0)
    }

    @Test func `A request does not overtake waiting ones`() throws {
        let world = try Self.world()
        try world.turn(requests(world, "alice", 40))
        #expect(world.engine.heldBack > 0)
        world.sleep(.seconds(60))
        let late = world.requestMessage("alice", "group.list", #"{"id":99}"#)
        let answered = answers(try world.turn([late]) + drain(world), world)
        #expect(answered.last == "alice 99 ok")
    }

    @Test func `Excess waiting requests are refused; a repeated id gets the same reply`() throws {
        let world = try Self.world()
        let most = BridgeSettings.maximumWaitingRequests
        // Not a read, because answers to reads are not stored.
        let leaving = requests(world, "alice", most + 50, "group.leave")
        var answered = answers(try world.turn(leaving), world)
        let refused = answered.filter { $0.hasSuffix("too-many") }
        #expect(refused.count == world.engine.metrics["requests-refused"].map { Int($0) })
        #expect(refused.last == "alice \(most + 49) too-many")
        #expect(try world.count("waiting_requests") == most)
        answered += answers(try drain(world), world)
        #expect(answered.count == most + 50)
        let again = requests(world, "alice", most + 50, "group.leave").suffix(1)
        world.sleep(.seconds(60))
        #expect(answers(try world.turn(Array(again)), world) == ["alice \(most + 49) too-many"])
    }

    @Test func `Fewer large requests can wait`() throws {
        let world = try Self.world()
        let text = String(repeating: "x", count: 60_000)
        try world.turn(
            (0..<20).map {
                world.requestMessage("alice", "group.list", #"{"id":\#($0),"x":"\#(text)"}"#)
            })
        #expect(try world.count("waiting_requests") == 4)
    }

    @Test func `A user's busy device does not block their other devices`() throws {
        let world = try Self.world()
        try world.turn(requests(world, "alice/watch", 100))
        let revoke = world.requestMessage("alice", "device.revoke", #"{"id":1,"device":"watch"}"#)
        try world.turn([revoke])
        var answered: [String] = []
        for second in 1...2 {
            // The stolen watch keeps sending.
            let fixes = (0..<200).map {
                world.fixMessage("alice/watch", TestFix(second, ago: Double($0) / 1000))
            }
            world.sleep(.seconds(1))
            answered += answers(try world.turn(fixes), world)
        }
        #expect(answered.contains("alice 1 ok"))
        #expect(try world.count("waiting_requests") == 0, "what the watch asked for is dropped")
    }

    @Test func `An overdrawn user is served again soon after the cause ends`() throws {
        let world = try Self.world()
        for _ in 0..<50 { try world.turn(requests(world, "alice", 100)) }
        _ = try drain(world)
        world.sleep(.seconds(2))
        let answered = answers(try world.turn(requests(world, "alice", 1, "group.list")), world)
        #expect(answered.count == 1)
    }

    @Test func `A clock set back makes no one wait`() throws {
        let budget = Budget(
            Allowance(burst: 10, perSecond: 10), leastPace: .seconds(1))
        budget.charge(15, at: .morning)
        #expect(budget.take(.request, at: .morning))
        #expect(!budget.take(.request, at: .morning))
        let before = Timestamp(milliseconds: Timestamp.morning.milliseconds - 3_600_000)
        #expect(budget.next(.request, at: before) == before + .milliseconds(500))
        #expect(budget.take(.request, at: before + .milliseconds(500)))
    }

    @Test func `A permanently overdrawn user is served once a second`() {
        let budget = Budget(Allowance(burst: 10, perSecond: 10), leastPace: .seconds(1))
        var served = 0
        for step in 0..<10_000 {
            let now = Timestamp.morning + .milliseconds(Int64(step))
            budget.charge(5, at: now)
            if budget.take(.request, at: now) { served += 1 }
        }
        #expect((10...13).contains(served))
    }

    @Test func `Excess guests are refused and do not delay users`() throws {
        var settings = BridgeSettings()
        settings.fairness.guests = Allowance(burst: 50, perSecond: 50)
        let world = try World.withFamily(settings)
        let login = #"{"login":"bob","password":"not at all","device":"x"}"#
        let guests = try (0..<100).map { number in
            world.message(
                .guestRequest(
                    try #require(ClientID("guest-\(number)")), method: "budget.login"), login)
        }
        let sent = try world.turn(guests + requests(world, "alice", 1, "group.list"))
        #expect(answers(sent, world) == ["alice 0 ok"])
        let refused = sent.filter { $0.topic.contains("/guests/") }
            .filter { JSONValue.read($0.payload).outcome == "too-many-attempts" }
        #expect(refused.count > 50)
    }
}
