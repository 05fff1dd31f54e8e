import Contract
import JSON
import MQTT
import Sealing
import Store
import Testing
import Tracking

@testable import Bridge

/// A bridge without a broker: an engine on a database file of its own, a clock that the test sets,
/// and what a broker would retain of everything published.
final class World {
    let database: TemporaryDatabase
    private(set) var settings: BridgeSettings
    private(set) var store: Store
    private(set) var engine: Engine
    private(set) var now: Timestamp
    private(set) var listeningSince: Timestamp

    /// What a broker retains on the bridge's topics.
    var retained: [String: [UInt8]] = [:]
    /// Everything published since the last call of `published()`.
    private var unseen: [Publication] = []
    /// The messages of the last turn that had any.
    private(set) var lastBatch: [Message] = []
    /// Outbox rows that the broker has, to be confirmed with the next turn.
    private var confirmed: [Int64] = []
    /// Whether the broker confirms messages.
    var confirms = true
    /// Whether passwords are checked as soon as a turn asks for it.
    var worksOnPasswords = true
    /// Whether cohorts are counted as soon as a turn asks for it.
    var worksOnCohorts = true
    /// Answers the turns' directory queries as soon as they are made.
    var directory: FakeDirectory?
    /// Whether further turns follow while waiting work can proceed, as in the loop.
    var goesOn = true
    var names = GroupNames()
    private var versions: [String: Int64] = [:]
    private var lastPacket: UInt16 = 0
    private let dice = Dice()
    private var isFresh = true

    /// - Parameters:
    ///   - file: a database to begin with; nil for none.
    ///   - wrap: puts something between the store and the file.
    init(
        _ settings: BridgeSettings = BridgeSettings(), at now: Timestamp = .morning,
        copyOf file: String? = nil, wrap: (any Driver) -> any Driver = { $0 }
    ) throws {
        database = try file.map { try TemporaryDatabase(copyOf: $0) } ?? .prepared()
        var settings = settings
        settings.accounts.passwordCost = 10
        settings.accounts.passwordBlockSize = 1
        settings.accounts.passwordParallelism = 1
        settings.sealingKeys = settings.sealingKeys ?? World.keys
        self.settings = settings
        self.now = now
        listeningSince = now
        store = Store(driver: wrap(try Store.open(database.address, at: now).driver))
        engine = try Engine(store, settings, random: dice)
    }

    static let keys = SealingKeys("1 " + String(repeating: "A", count: 43))

    var topics: TopicSpace { settings.topics }

    // MARK: Turns

    /// Runs one turn of the engine now, and those that follow at once.
    @discardableResult
    func turn(
        _ messages: [Message] = [], _ tasks: Engine.TurnTasks = [],
        outcomes: [any WorkOutcome] = []
    ) throws -> [Publication] {
        let tasks = tasks.union([.arrivals, .releasing]).union(
            isFresh ? [.rescheduling, .starting] : [])
        if !messages.isEmpty { lastBatch = messages }
        var publications = try engine.turn(
            messages, at: now, listeningSince: listeningSince, tasks,
            confirmed: confirmed, outcomes: outcomes)
        isFresh = false
        confirmed = []
        deliver(publications)
        if goesOn, let release = engine.nextRelease(at: now), release <= now {
            publications += try turn()
        }
        if worksOnPasswords { publications += try workOnPasswords() }
        publications += try askDirectory()
        if worksOnCohorts { publications += try workOnCohorts() }
        return publications
    }

    /// Does the password work that turns have asked for, and passes the outcomes to another turn.
    @discardableResult
    func workOnPasswords() throws -> [Publication] {
        let outcomes = engine.takeWork(PasswordWork.self).map { $0.perform() }
        guard !outcomes.isEmpty else { return [] }
        let publications = try engine.turn(
            [], at: now, listeningSince: listeningSince, [], confirmed: confirmed,
            outcomes: outcomes)
        confirmed = []
        deliver(publications)
        return publications
    }

    /// Has the directory answer the queries of turns, in another turn.
    @discardableResult
    func askDirectory() throws -> [Publication] {
        guard let directory else { return [] }
        let outcomes = engine.takeWork(DirectoryWork.self).map { directory.answer($0) }
        guard !outcomes.isEmpty else { return [] }
        let publications = try engine.turn(
            [], at: now, listeningSince: listeningSince, [], confirmed: confirmed,
            outcomes: outcomes)
        confirmed = []
        deliver(publications)
        return publications
    }

    /// Reports the outcome of a delivery, and runs the turn that handles it.
    func report(_ delivery: Delivery, _ result: DeliveryOutcome.Result) throws {
        deliver(
            try engine.turn(
                [], at: now, listeningSince: listeningSince, [], confirmed: confirmed,
                outcomes: [DeliveryOutcome(of: delivery, result)]))
        confirmed = []
    }

    /// Fires timers, each at its moment, until `end`, and sets the clock to that.
    func pass(until end: Timestamp) throws {
        if isFresh { try turn() }
        while let due = [engine.nextTimer, engine.nextRelease(at: now)].compactMap({ $0 }).min(),
            due <= end
        {
            now = max(now, due)
            try turn([], .timers)
        }
        now = end
    }

    func pass(_ duration: Duration) throws { try pass(until: now + duration) }

    /// Advances the clock without running anything.
    func sleep(_ duration: Duration) { now = now + duration }

    /// Deletes expired data, as the loop does every minute.
    func sweep() throws {
        try turn([], .sweeping)
        while let next = engine.nextSweep { try pass(until: next) }
    }

    // MARK: Starting and stopping

    /// Ends the process and starts it again.
    ///
    /// - Parameter keys: of vital signs, from then on; nil: as before.
    func restart(keys: SealingKeys? = nil) throws {
        settings.sealingKeys = keys ?? settings.sealingKeys
        listeningSince = now
        try blink()
    }

    /// The same, with no directory in the configuration any more.
    func restartWithoutDirectory() throws {
        settings.directory = nil
        try restart()
    }

    /// Restarts so quickly that no one's silence was missed.
    func blink() throws {
        store = try Store.open(database.address, at: now)
        engine = try Engine(store, settings, random: dice)
        try greet()
    }

    /// Restarts as the program that decides, which keeps the gate's file of rights.
    func blinkDeciding() throws {
        store = try Store.open(database.address, at: now, decides: true)
        engine = try Engine(store, settings, random: dice)
        try greet()
    }

    /// Breaks the connection and restores it.
    func reconnect(listeningSince start: Timestamp? = nil) throws {
        listeningSince = start ?? now
        try greet()
    }

    /// Commits the batch, then kills the process before anything is published or acknowledged;
    /// after the restart the broker delivers the batch again.
    func crashAfterCommit(of messages: [Message]) throws {
        _ = try engine.turn(
            messages, at: now, listeningSince: listeningSince, isFresh ? .rescheduling : [],
            confirmed: confirmed)
        try blink()
        try turn(messages)
    }

    /// Does what the loop does when it has connected.
    private func greet() throws {
        confirmed = []
        isFresh = true
        var corrections = try engine.beginCorrections(of: retained)
        while let part = try engine.next(of: &corrections) { deliver(part) }
        deliver(try engine.outgoing())
    }

    /// A second bridge just started on the same file, for comparison.
    func twin() throws -> Engine {
        try Engine(try Store.open(database.address, at: now), settings)
    }

    // MARK: The broker

    /// Everything published since the last call.
    func published() -> [Publication] {
        defer { unseen = [] }
        return unseen
    }

    func nextPacketID() -> UInt16 {
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        return lastPacket
    }

    private func deliver(_ publications: [Publication]) {
        for publication in publications {
            names.learn(from: publication, topics)
            inspect(publication)
            if let row = publication.outboxRow, confirms { confirmed.append(row) }
            guard publication.retain else { continue }
            retained[publication.topic] =
                publication.payload.isEmpty ? nil : publication.payload
        }
        unseen += publications
    }

    /// Checks the rules for every publication.
    private func inspect(_ publication: Publication) {
        #expect(publication.payload.count <= PayloadLimits.maximum)
        // Mosquitto's limits: `TOPIC_HIERARCHY_LIMIT`, and `max_packet_size` in broker-config.
        #expect(publication.topic.utf8.count { $0 == UInt8(ascii: "/") } <= 200)
        let size = publication.payload.count + publication.topic.utf8.count
        #expect(size + (publication.correlationData?.count ?? 0) + 64 <= 69_632)
        #expect(!publication.topic.contains { "+#".contains($0) })
        if case .userGroups(let user) = topics.parse(publication.topic),
            publication.payload.isEmpty
        {
            // The user is gone; the versions of another user of that name start again.
            versions = versions.filter { !$0.key.hasSuffix("/members/\(user)") }
        }
        guard case .member = topics.parse(publication.topic), !publication.payload.isEmpty,
            let version = JSONValue.read(publication.payload)["version"]?.integer
        else { return }
        let before = versions[publication.topic] ?? 0
        #expect(version >= before, "a version went back on \(publication.topic)")
        if version == before { #expect(retained[publication.topic] == publication.payload) }
        versions[publication.topic] = version
    }
}

/// A random generator that continues where it was when the bridge restarts.
private final class Dice: RandomNumberGenerator {
    private var generator = SplitMix64(seed: 1)
    func next() -> UInt64 { generator.next() }
}

extension Timestamp {
    /// 2026-05-01T10:00:00Z, when the scenarios begin.
    static let morning = Timestamp(milliseconds: 1_777_593_600_000 + 36_000_000)
}

extension JSONValue {
    /// The payload as JSON; null if it is not JSON.
    static func read(_ payload: [UInt8]) -> JSONValue {
        do { return try parse(payload) } catch { return .null }
    }

    var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }
}
