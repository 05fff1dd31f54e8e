import Clocks
import Contract
import JSON
import Logging
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Work that repeatedly ends the process, or that the database rejects, is left out, and all users
/// are served.
struct LeftOutTests {
    private func work(_ name: String) throws -> ClockWork {
        try #require(ClockWork.finishing.first { $0.name == name })
    }

    /// The bridge's record after the process ended three times over the work.
    private func record(_ world: World, endedOver work: ClockWork) throws -> TurnRecord {
        for _ in 0..<3 {
            let run = try TurnRecord(besides: world.database.path)
            run.beginWithoutMessages()
            run.begin(work)
        }
        return try TurnRecord(besides: world.database.path)
    }

    private func calls(_ world: World, _ user: Sender) throws -> Bool {
        try world.turn([world.requestMessage(user, "sos.trigger", #"{"id":1}"#)])
            .contains { $0.topic.hasSuffix("/alerts") }
    }

    @Test func `Leaving out an area's end-of-turn work does not stop that of other areas`() throws {
        let world = try World.withFamily()
        world.engine.record = try record(world, endedOver: work("finish Groups"))
        try Script.play(in: world, "10:00:00 alice shares with all\n10:00:01 alice at 10 m seq 1")
        #expect(world.state(of: "alice")["fix"]?["latitude"] == nil)
        #expect(try world.count("fixes") == 1)
        #expect(try calls(world, "bob"))
        // Left-out work takes effect when it is done again.
        try world.restart()
        #expect(world.state(of: "alice")["fix"]?["latitude"] != nil)
    }

    @Test func `Left-out work sets no timer`() throws {
        let world = try World.withFamily()
        world.engine.record = try record(world, endedOver: work("finish Notices"))
        #expect(try calls(world, "alice"))
        let before = world.engine.nextTimer
        world.engine.memory.state(NoticeState.self).uncounted.insert(UserID(rawValue: 1))
        #expect(world.engine.nextTimer == before)
        // Without a record it would be due at once.
        let other = try World.withFamily()
        other.engine.memory.state(NoticeState.self).uncounted.insert(UserID(rawValue: 1))
        #expect(other.engine.nextTimer == Timestamp(milliseconds: 0))
    }

    @Test func `Leaving out the timers of one person does not stop others' timers`() throws {
        let world = try World.withFamily()
        let alice = try #require(world.engine.memory.person("alice")).id
        world.engine.record = try record(world, endedOver: .timers(of: alice))
        try Script.play(
            in: world,
            """
            10:00:00 alice at 0 m & alice travels to 9000 m by 10:05:00 with family
            10:00:01 bob at 0 m & bob travels to 9000 m by 10:05:00 with family
            """)
        _ = world.published()
        try world.pass(.seconds(600))
        let late = world.published().filter { $0.topic.hasSuffix("/alerts") }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "late" }
        #expect(late.map { $0["user"]?.text } == ["bob"])
        #expect(try calls(world, "alice"))
    }

    // MARK: Reports to the operator

    private func turnLoop(_ world: World, _ record: TurnRecord) -> TurnLoop {
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        turnLoop.record = record
        return turnLoop
    }

    @Test func `The status and a metric report left-out work`() throws {
        let world = try World.withFamily()
        let turnLoop = turnLoop(world, try record(world, endedOver: work("finish Runs")))
        let link = ScriptedLink()
        let moment = ClockReading(wall: world.now, steady: .seconds(100))
        try turnLoop.begin(link, at: moment)
        try turnLoop.round(at: moment)
        let sent = link.takeSent()
        let last = try #require(sent.last { $0.topic == "kith/system/status" })
        let status = JSONValue.read(last.payload)
        #expect(status["status"]?.text == "degraded" && status["reason"]?.text == "work-left-out")
        #expect(status["calls"] == .bool(true))
        #expect(status["since"]?.text == world.now.rfc3339)
        #expect(status["leftOut"]?.elements.map(\.text) == ["finish Runs"])
        let metric = sent.last { $0.topic.hasSuffix("/work-left-out") }
        #expect(metric?.payload == Array("1".utf8))
    }

    @Test(arguments: [
        ("finish Runs", false), ("finish Chat", false), ("finish Emergencies", true),
        ("finish Dispatch", true), ("finish Monitoring", true), ("finish Channels", true),
        ("finish Groups", true),
    ])
    func `Work that calls for help depend on is marked as such`(_ name: String, concerns: Bool)
        throws
    {
        #expect(try work(name).concernsCalls == concerns)
        #expect(ClockWork.timers(of: UserID(rawValue: 1)).concernsCalls)
        #expect(ClockWork.taking(.dispatch).concernsCalls)
        #expect(ClockWork.taking(.deliveries).concernsCalls)
        // Work that another version may have recorded.
        #expect(ClockWork(rawValue: 1 << 56 | 1).concernsCalls)
    }

    // MARK: After an end in the middle of a turn

    @Test func `Clock work after an end precedes messages, each in a turn of its own`() throws {
        let world = try World.withFamily()
        try TurnRecord(besides: world.database.path).begin(nil)
        let record = try TurnRecord(besides: world.database.path)
        let turnLoop = turnLoop(world, record)
        var turns: [Int] = []
        world.engine.onTurn = { turns.append($0.messages.count) }
        let link = ScriptedLink()
        try turnLoop.begin(link, at: ClockReading(wall: world.now, steady: .seconds(100)))
        link.incoming = (0..<10).map { world.fixMessage("alice", TestFix($0, ago: Double(9 - $0))) }
        try turnLoop.round(at: ClockReading(wall: world.now, steady: .seconds(100)))
        #expect(link.lastLimit == TurnLoop.carefulBatch && link.incoming.count == 6)
        #expect(turns.first == 0 && turns.filter { $0 > 0 } == [1, 1, 1, 1])
        // It has gone well for a while.
        turns = []
        let later = Duration.seconds(100) + TurnLoop.carefulFor
        let moment = ClockReading(wall: world.now + TurnLoop.carefulFor, steady: later)
        try turnLoop.round(at: moment)
        #expect(turns == [6] && !record.isCareful)
        #expect(try world.count("fixes") == 10)
    }

    @Test func `A careful turn processes a single waiting request`() throws {
        let world = try FairnessTests.world()
        try world.turn(
            (0..<30).map {
                world.requestMessage(
                    "alice", "group.create", #"{"id":\#($0),"name":"Song \#($0)"}"#)
            })
        let waiting = try world.count("waiting_requests")
        #expect(waiting > 2)
        try TurnRecord(besides: world.database.path).begin(nil)
        world.engine.record = try TurnRecord(besides: world.database.path)
        world.sleep(.seconds(60))
        _ = try world.engine.turnIsolating(
            [], at: world.now, listeningSince: world.listeningSince, .releasing, isCareful: true)
        #expect(try world.count("waiting_requests") == waiting - 1)
    }

    // MARK: Rejected by the database

    @Test(.onSQLite)
    func `Work that the database rejects is left out, and no message is refused for it`()
        throws
    {
        let world = try World.withWatchedAlice()
        try world.store.transaction { _ in
            _ = try world.store.driver.execute(
                """
                CREATE TRIGGER refusing BEFORE INSERT ON notices
                BEGIN SELECT RAISE(ABORT, 'no notices'); END
                """, [])
        }
        // Alice is to be warned at once.
        let from = world.now + .seconds(3_000)
        let replies = try world.operate(
            .announceMaintenance(from: from, to: from + .seconds(60), try MaintenanceText("Disk.")))
        #expect(replies.map(\.outcome) == ["ok"])
        #expect(world.engine.leftOut == [try work("finish Maintenance")])
        let before = try world.count("fixes")
        world.sleep(.seconds(5))
        try world.fix("alice", TestFix(101))
        #expect(try world.count("fixes") == before + 1)
        #expect(world.concerns.leftOut == ["finish Maintenance"])
    }

    @Test func `A message that the database rejects does not affect others' deadlines`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try Script.play(
            in: world, "10:00:00 alice at 0 m & alice travels to 9000 m by 10:05:00 with family")
        faults.forbiddenText = "Choir"
        let refused = try world.engine.turnIsolating(
            [world.requestMessage("bob", "chat.send", #"{"group":"$family","text":"Choir"}"#)],
            at: world.now, listeningSince: world.listeningSince, [])
        #expect(refused.contains { $0.topic.hasSuffix("/rejected") })
        _ = world.published()
        try world.pass(.seconds(600))
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
        #expect(alerts.map { JSONValue.read($0.payload)["kind"]?.text } == ["silent", "late"])
    }

    @Test func `A message that the database rejects loses no pending unread counts`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        // Many people were notified at once, and Alice's count is due in a later turn.
        let alice = try #require(world.engine.memory.account("alice"))
        let notice = NoticeRow(
            id: UUIDv7(at: world.now, random: (1, 2)), user: alice.id,
            news: .friendAdded, about: nil, by: nil, at: world.now, isSeen: false)
        try world.store.transaction { try $0.insert(notice) }
        world.engine.memory.state(NoticeState.self).uncounted.insert(alice.id)
        faults.forbiddenText = "Choir"
        let published = try world.engine.turnIsolating(
            [world.requestMessage("bob", "chat.send", #"{"group":"$family","text":"Choir"}"#)],
            at: world.now, listeningSince: world.listeningSince, [])
        let unread = published.first { $0.topic == "kith/users/alice/unread" }
        #expect(unread.map { JSONValue.read($0.payload)["notices"]?.integer } == 1)
    }

    @Test func `A refusal that escapes from work is logged with its code and nothing else`() throws
    {
        let world = try World.withFamily()
        let engine = world.engine
        try world.store.transaction { transaction in
            let turn = Turn(
                at: world.now, listeningSince: world.listeningSince, world.settings,
                engine.memory, transaction, engine.authentication, engine.openWork,
                random: SystemRandomNumberGenerator())
            let refusal = Problem(.notAllowed, "Alice must not see Bob at 59.91, 10.75.")
            #expect(turn.unexpected(refusal) == "Unexpected refusal in a turn: not-allowed")
            #expect(turn.begins(.timers(of: UserID(rawValue: 7))))
            #expect(turn.unexpected(refusal) == "Unexpected refusal in timers: not-allowed")
            #expect(turn.begins(.taking(.dispatch)))
            #expect(turn.unexpected(refusal) == "Unexpected refusal in dispatch: not-allowed")
            #expect(turn.unexpected(StoreError(.decode, reason: "Alice")) == nil)
        }
    }

    @Test func `An operator request that the database rejects is answered, others are done`() throws
    {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        faults.forbiddenText = "Choir"
        let replies = try world.operate(
            .createGroup(try DisplayName("Choir"), firstMember: "alice"),
            .createGroup(try DisplayName("Club"), firstMember: "alice"))
        #expect(replies.map(\.outcome) == ["malformed", "ok"])
        #expect(world.engine.leftOut.isEmpty)
        #expect(try calls(world, "bob"))
    }

    @Test func `An operator request that repeatedly ended the process is answered`() throws {
        let world = try World.withFamily()
        let command = OperatorCommand.createGroup(try DisplayName("Choir"), firstMember: "alice")
        world.engine.record = try record(
            world, endedOver: .operatorRequest(command.json))
        let replies = try world.operate(
            command, .createGroup(try DisplayName("Club"), firstMember: "alice"))
        #expect(replies.map(\.outcome) == ["malformed", "ok"])
        #expect(world.concerns.leftOut == [])
    }
}
