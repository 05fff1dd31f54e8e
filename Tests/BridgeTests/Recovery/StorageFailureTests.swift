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

/// A database that cannot be written: the reason is reported, and nothing is acknowledged.
struct StorageFailureTests {
    private func trouble(_ body: () throws -> Void) -> StorageFailure? {
        do {
            try body()
            return nil
        } catch let error as StoreError {
            return StorageFailure(error)
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test(arguments: [
        (Int32(13), StorageFailure.diskFull), (8, .readOnly), (776, .readOnly), (1032, .gone),
        (778, .diskError), (1034, .diskError), (14, .unreachable), (11, .damaged), (267, .damaged),
        (26, .damaged), (5, .locked), (261, .locked), (19, .other), (1, .other),
    ])
    func `SQLite's error code determines the kind of failure`(
        _ code: Int32, _ trouble: StorageFailure
    ) {
        #expect(StorageFailure(StoreError(.commit, code: code, reason: "")) == trouble)
    }

    @Test func `An unreadable row counts as damage`() {
        #expect(StorageFailure(StoreError(.decode, reason: "a document is damaged")) == .damaged)
    }

    @Test(.onSQLite) func `A full database is reported as a full disk`() throws {
        let world = try World.withFamily()
        // Lets the file have no more pages than it has now.
        try world.store.transaction { _ in
            try world.store.driver.query("PRAGMA max_page_count = 1", []) { _ in }
        }
        #expect(trouble { try world.engine.probe() } == .diskFull)
        try world.store.transaction { _ in
            try world.store.driver.query("PRAGMA max_page_count = 1000000", []) { _ in }
        }
        #expect(trouble { try world.engine.probe() } == nil)
    }

    @Test(.onSQLite) func `A read-only, missing or locked database is reported as such`() throws {
        let world = try World.withFamily()
        let path = world.database.path
        #expect(
            trouble {
                _ = try Engine(try Store.openReadOnly(path), world.settings).probe()
            } == .readOnly)
        #expect(trouble { _ = try Store.openReadOnly(path + ".none") } == .unreachable)
        let other = try Store.open(path, at: world.now)
        try other.transaction { _ in #expect(trouble { try world.engine.probe() } == .locked) }
    }

    /// The reserve is used whenever there is no room, even after another failure.
    @Test(.onSQLite) func `A disk found full during recovery releases the reserve for calls`()
        throws
    {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        var files = DatabaseFiles(world.database.path)
        files.noteIdentity()
        let loop = BridgeLoop(
            world.engine, files, world.settings, logger: Logger(label: "test"), waker: Waker(),
            isStopped: { false })
        var settings = BridgeSettings.Disk()
        settings.reserve = 1 << 20
        var disk = DiskWatch(world.database.path, settings)
        disk.look(loop.logger)
        loop.turnLoop.disk = disk
        let reserve = DiskReserve(besides: world.database.path, size: settings.reserve)
        // The first probe finds room.
        try loop.recover(from: StoreError(.commit, code: 5, reason: "database is locked"))
        #expect(loop.turnLoop.disk?.isSparing == false && reserve.missing == 0)
        loop.lastRecovery = nil
        faults.failNextCommit = true
        try loop.recover(from: StoreError(.commit, code: 778, reason: "disk I/O error"))
        #expect(loop.turnLoop.disk?.isSparing == true)
        #expect(reserve.missing == settings.reserve / DiskReserve.slices)
    }

    @Test func `A probe leaves no data behind`() throws {
        let world = try World.withFamily()
        try world.turn()
        let (tables, before) = (
            try world.tableCounts(), try world.engine.corrections(of: [:]).map(\.payload)
        )
        try world.engine.probe()
        #expect(try world.tableCounts() == tables)
        #expect(try world.engine.outgoing().isEmpty)
        #expect(try world.engine.corrections(of: [:]).map(\.payload) == before)
    }

    @Test func `A probe fails where a commit fails`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        faults.failNextCommit = true
        #expect(trouble { try world.engine.probe() } == .diskFull)
        #expect(trouble { try world.engine.probe() } == nil)
    }

    @Test func `Discarded memory is freed`() throws {
        let world = try World.withFamily()
        weak var person: Person?
        weak var group: Group?
        try world.store.transaction { transaction in
            let memory = try Memory(transaction, world.settings)
            person = memory.people.values.first
            group = memory.groups.values.first
            #expect(group?.members.count == 2)
        }
        #expect(person == nil)
        #expect(group == nil)
    }

    // MARK: Acknowledgements

    /// A connection that counts the acknowledgements released.
    private final class Hands: BrokerLink {
        var waiting: [Message] = []
        private(set) var sent = 0
        private(set) var statuses: [[UInt8]] = []
        private(set) var released = 0
        private var held = 0

        func hasRoom(on lane: Lane) -> Bool { true }
        var unanswered: Int { 0 }
        func receive(atMost limit: Int) -> [Message] {
            defer { waiting = [] }
            held += waiting.count
            return waiting
        }
        func takeEvents() -> [Connection.Event] { [] }
        func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
            sent += 1
            if publication.topic.hasSuffix("/status") { statuses.append(publication.payload) }
            return Connection.PublishID(rawValue: Int32(sent))
        }
        func flush() throws(MQTTError) {
            released += held
            held = 0
        }
        func pause(for duration: Duration) {}
        func maintain() {}
        func disconnect() {}
    }

    @Test(arguments: [Duration.seconds(-3600), .seconds(3600)])
    func `A clock change is reported once, in the status`(_ jump: Duration) throws {
        let world = try World.withFamily()
        let turnLoop = TurnLoop(world.engine, world.settings, logger: Logger(label: "test"))
        let hands = Hands()
        var moment = ClockReading(wall: world.now, steady: .zero)
        try turnLoop.begin(hands, at: moment)
        for step in [Duration.zero, jump, .zero] {
            moment.steady += .milliseconds(100)
            moment.wall = moment.wall + .milliseconds(100) + step
            try turnLoop.round(at: moment)
        }
        let told = hands.statuses.map { JSONValue.read($0)["clockSet"]?.text }
        #expect(told == [nil, (world.now + .milliseconds(200) + jump).rfc3339])
    }

    @Test func `A round that cannot be stored acknowledges and publishes nothing`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        let turnLoop = TurnLoop(world.engine, world.settings, logger: Logger(label: "test"))
        let hands = Hands()
        let moment = ClockReading(wall: world.now, steady: .zero)
        try turnLoop.begin(hands, at: moment)
        let sent = hands.sent
        hands.waiting = [world.fixMessage("alice", TestFix(20, seq: 2))]
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try turnLoop.round(at: moment) }
        #expect(hands.released == 0)
        #expect(hands.sent == sent)
        turnLoop.lose()
        let again = Hands()
        try turnLoop.begin(again, at: moment)
        again.waiting = [world.fixMessage("alice", TestFix(20, seq: 2))]
        try turnLoop.round(at: moment)
        #expect(again.released == 1)
        #expect(try world.count("fixes") == 1)
    }
}
