import Contract
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// Waiting requests are on disk: each is done once, whatever happens.
struct WaitingTests {
    private func songs(_ world: World, _ numbers: Range<Int>, withID: Bool = true) -> [Message] {
        numbers.map {
            let id = withID ? "\"id\":\($0)," : ""
            return world.requestMessage("alice", "group.create", "{\(id)\"name\":\"Song \($0)\"}")
        }
    }

    private func drain(_ world: World) throws {
        while world.engine.heldBack > 0 {
            world.sleep(.milliseconds(500))
            try world.turn()
        }
    }

    private func songCount(_ world: World) throws -> Int {
        try world.count("groups", where: "name LIKE 'Song %'")
    }

    @Test(arguments: [true, false])
    func `A request waiting at a crash is done once, even if redelivered`(_ withID: Bool) throws {
        let world = try FairnessTests.world()
        let batch = songs(world, 0..<30, withID: withID)
        try world.turn(batch)
        world.sleep(.milliseconds(10))
        try world.restart()
        try world.turn(batch)
        #expect(world.engine.heldBack > 20)
        try drain(world)
        #expect(try songCount(world) == 30)
    }

    @Test func `A request done from the queue is not done again by a late redelivery`() throws {
        let world = try FairnessTests.world()
        let batch = songs(world, 0..<30, withID: false)
        try world.turn(batch)
        world.sleep(.milliseconds(100))
        try world.restart()
        world.sleep(.milliseconds(100))
        // The queue is worked off before the broker delivers again.
        for _ in 0..<10 {
            world.sleep(.seconds(1))
            try world.turn()
        }
        try world.turn(batch)
        try drain(world)
        #expect(try songCount(world) == 30)
    }

    @Test func `A failed commit also undoes the queue`() throws {
        let faults = Faults()
        let world = try FairnessTests.world { FailingDriver($0, faults) }
        let batch = songs(world, 0..<30)
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try world.turn(batch) }
        try world.reconnect()
        try world.turn(batch)
        for step in 0..<200 where world.engine.heldBack > 0 {
            world.sleep(.milliseconds(500))
            faults.failNextCommit = step.isMultiple(of: 2)
            do { try world.turn() } catch { try world.reconnect() }
        }
        #expect(world.engine.heldBack == 0)
        #expect(try songCount(world) == 30)
    }

    @Test func `A request repeated while it waits is answered twice and done once`() throws {
        let world = try FairnessTests.world()
        let batch = songs(world, 0..<20)
        try world.turn(batch)
        try world.turn(batch)
        try drain(world)
        #expect(try songCount(world) == 20)
        let replies = world.published().filter { $0.topic.contains("/replies") }
        #expect(replies.count == 40)
    }

    @Test func `A waiting request is answered on its topic with its correlation data`() throws {
        let world = try FairnessTests.world()
        let topic = "kith/users/alice/devices/phone/replies/there"
        try world.turn(
            (0..<30).map {
                world.requestMessage(
                    "alice", "group.list", "{}", responseTopic: topic, correlation: [UInt8($0)])
            })
        try drain(world)
        let replies = world.published().filter { $0.topic == topic }
        #expect(replies.map(\.correlationData) == (0..<30).map { [UInt8($0)] })
    }

    @Test func `Requests with a password and requests that cannot be done do not wait`() throws {
        let world = try FairnessTests.world()
        world.worksOnPasswords = false
        try world.turn(songs(world, 0..<30))
        let waiting = world.engine.heldBack
        #expect(waiting > 0)
        _ = world.published()
        try world.turn([
            world.requestMessage(
                "alice", "account.password", #"{"id":77,"old":"not mine","new":"also not mine"}"#),
            world.requestMessage("alice", "account.delete", #"{"id":78,"password":"not mine"}"#),
            world.requestMessage("alice", "account.login", #"{"id":79,"password":"not mine"}"#),
            world.requestMessage("alice", "path.get", #"{"id":80}"#),
        ])
        #expect(world.engine.heldBack == waiting)
        #expect(world.engine.takeWork(PasswordWork.self).count == 2)
        #expect(world.published().count { $0.topic.contains("/replies") } == 2)
    }

    @Test func `A waiting request that cannot be done is refused; later ones go on`() throws {
        let faults = Faults()
        let world = try FairnessTests.world { FailingDriver($0, faults) }
        faults.forbiddenText = "Song 25"
        try world.turn(songs(world, 0..<30))
        try drain(world)
        #expect(try songCount(world) == 29)
        let refused = world.published().filter { $0.topic.hasSuffix("/rejected") }
        #expect(refused.count == 1)
        #expect(world.engine.metrics["messages-impossible"] == 1)
    }

    @Test func `A waiting request that keeps ending the process is refused`() throws {
        let world = try FairnessTests.world()
        let batch = songs(world, 0..<30)
        try world.turn(batch)
        for _ in 0..<3 { try TurnRecord(besides: world.database.path).begin(batch[25]) }
        world.engine.record = try TurnRecord(besides: world.database.path)
        while world.engine.heldBack > 0 {
            world.sleep(.milliseconds(500))
            _ = try world.engine.turnIsolating(
                [], at: world.now, listeningSince: world.listeningSince, .releasing)
        }
        #expect(try songCount(world) == 29)
        #expect(try !TurnRecord(besides: world.database.path).isCareful)
    }

    @Test func `An engine that repeats the decisions does the same as the one that decided`() throws
    {
        let (world, other) = (try FairnessTests.world(), try World.withFamily())
        var inputs: [TurnInput] = []
        world.engine.onTurn = { inputs.append($0) }
        try world.turn(songs(world, 0..<60))
        for _ in 0..<2 {
            world.sleep(.seconds(1))
            try world.turn()
        }
        for input in inputs { _ = try other.engine.repeatTurn(input) }
        #expect(try world.count("waiting_requests") > 0)
        #expect(try songCount(other) == songCount(world))
        #expect(try other.count("waiting_requests") == world.count("waiting_requests"))
    }

    /// A restart forgets password guesses; the second engine was not restarted.
    @Test func `An engine repeats the decisions of one that was restarted`() throws {
        let (world, other) = (try World(), try World())
        var inputs: [TurnInput] = []
        world.engine.onTurn = { inputs.append($0) }
        try world.register()
        let outcomes = try (0..<7).map { _ in try world.logIn("carol", "wrong horse").outcome }
        let refused = outcomes.count { $0.hasPrefix("too-many-attempts") }
        #expect(refused > 0)
        try world.blink()
        world.engine.onTurn = { inputs.append($0) }
        try world.token()
        var replies: [String] = []
        for input in inputs {
            replies += try other.engine.repeatTurn(input).map {
                String(decoding: $0.payload, as: UTF8.self)
            }
            _ = other.engine.takeWork(PasswordWork.self)
        }
        #expect(replies.count { $0.contains("too-many-attempts") } == refused)
        #expect(try other.count("devices") == 1)
    }
}
