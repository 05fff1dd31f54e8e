internal import Contract
package import MQTT
public import Store
package import Tracking

/// The bridge without the broker: turns that run against the store, and what they publish.
///
/// Used by one thread. Whatever throws a ``StoreError`` has changed nothing: the transaction is
/// undone, and memory is read again before it is used.
public final class Engine {
    let settings: BridgeSettings
    private let store: Store
    private var memory: Memory
    /// Requests that waited, and that the store did not take when they were to be done.
    private var impossibleRows: Set<Int64> = []
    /// A turn failed: memory may say what the store does not.
    private var isMemoryStale = false
    private let authentication: AuthenticationState
    private var random: any RandomNumberGenerator
    private var lastForeignChange: Int64
    private(set) var counters = Counters.none
    var measures = Measures()
    /// How long commits have taken, since the start.
    private(set) var committing = Duration.zero
    /// How many messages a turn may take.
    var fullAt = BridgeSettings.maximumBatch
    /// By which it is measured, and how many messages the next round takes; else nothing is
    /// decided by it.
    package var stopwatch: () -> Duration = { ClockReading.steady }
    /// The number of the newest change of somebody's rights.
    private(set) var accessChange: Int64 = 0
    /// Is told of every turn before it is committed: a simulation compares.
    package var onTurn: ((TurnInput) -> Void)?

    public init(
        _ store: Store, _ settings: BridgeSettings,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws(StoreError) {
        self.settings = settings
        self.store = store
        self.random = random
        authentication = AuthenticationState(settings)
        memory = try Engine.read(store, settings)
        lastForeignChange = try store.foreignChanges()
    }

    private static func read(_ store: Store, _ settings: BridgeSettings)
        throws(StoreError) -> Memory
    {
        try store.transaction { transaction throws(StoreError) in
            try Memory(transaction, settings)
        }
    }

    private func refreshMemory() throws(StoreError) {
        guard isMemoryStale else { return }
        let paths = memory.paths
        memory = try Engine.read(store, settings)
        // What the broker has does not depend on the store.
        memory.paths = paths
        isMemoryStale = false
    }

    /// What a turn is to do besides taking messages.
    struct TurnTasks: OptionSet {
        let rawValue: UInt8
        static let timers = TurnTasks(rawValue: 1)
        static let operatorRequests = TurnTasks(rawValue: 2)
        static let rescheduling = TurnTasks(rawValue: 4)
        static let sweeping = TurnTasks(rawValue: 8)
        static let arrivals = TurnTasks(rawValue: 16)
        /// What waits because of its cost goes on, as far as it may.
        static let releasing = TurnTasks(rawValue: 32)
    }

    /// Takes the messages, lets happen what is due, commits, and returns what is to be published
    /// now, in this order.
    ///
    /// - Parameters:
    ///   - confirmed: rows of the outbox that the broker has by now.
    ///   - passwords: what was found out about passwords since.
    ///   - impossible: messages that are to be refused, whatever they say.
    ///   - record: is told which of the requests that waited is being done.
    ///   - decisions: what the budgets decided when the turn was taken elsewhere.
    func turn(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp, _ tasks: TurnTasks,
        confirmed: [Int64] = [], passwords: [PasswordOutcome] = [], impossible: [Message] = [],
        record: TurnRecord? = nil, following decisions: TurnDecisions? = nil
    ) throws(StoreError) -> [Publication] {
        let start = stopwatch()
        try refreshMemory()
        var current: Turn?
        do {
            let (publications, counted, work, decided) = try store.transaction {
                transaction throws(StoreError) in
                let turn = Turn(
                    at: now, listeningSince: listeningSince, settings, memory, transaction,
                    authentication, following: decisions, random: random)
                current = turn
                for row in confirmed { try transaction.deleteOutgoing(row) }
                for outcome in passwords { try turn.take(outcome) }
                if tasks.contains(.releasing) {
                    try turn.serveWaiting(but: impossibleRows, record)
                }
                try turn.take(messages)
                for message in impossible { try turn.refuse(message) }
                if messages.count >= fullAt { turn.count("turns-full") }
                if tasks.contains(.arrivals) { try turn.takeArrivals() }
                if tasks.contains(.operatorRequests) { try turn.takeOperatorRequests() }
                if tasks.contains(.rescheduling) { try turn.rescheduleAll() }
                if tasks.contains(.timers) { try turn.advanceTimers() }
                if tasks.contains(.sweeping) { try turn.beginSweep() }
                try turn.continueErasures()
                try turn.continueSweep()
                if tasks.contains(.releasing) { turn.releasePositions() }
                try turn.finish()
                onTurn?(
                    TurnInput(
                        messages: messages, now: now, listeningSince: listeningSince,
                        tasks: tasks, passwords: passwords, decisions: turn.decisions.decided))
                random = turn.random
                accessChange = try transaction.lastAccessChange()
                return (turn.publications, turn.counted, turn.work, stopwatch())
            }
            if let served = current?.decisions.decided.served { impossibleRows.subtract(served) }
            counters.add(counted)
            let end = stopwatch()
            measures.turnMessages.note(Double(messages.count))
            measures.turns.note(end - start)
            measures.commits.note(end - decided)
            committing += end - decided
            authentication.exchange(passwords, for: work)
            return publications
        } catch {
            isMemoryStale = true
            guard error.isAboutInput, let row = current?.serving,
                impossibleRows.insert(row).inserted
            else { throw error }
            return try turn(
                messages, at: now, listeningSince: listeningSince, tasks, confirmed: confirmed,
                passwords: passwords, impossible: impossible, record: record, following: decisions)
        }
    }

    /// Takes the same turn as another engine did, on a store of its own. The outbox is left as it
    /// is.
    package func repeatTurn(_ input: TurnInput) throws(StoreError) -> [Publication] {
        try turn(
            input.messages, at: input.now, listeningSince: input.listeningSince, input.tasks,
            passwords: input.passwords, following: input.decisions)
    }

    /// One turn that takes these messages and nothing else.
    package func take(_ messages: [Message], at now: Timestamp)
        throws(StoreError) -> [Publication]
    {
        try turn(messages, at: now, listeningSince: now, [])
    }

    /// Writes as much as a large turn does, and takes it back.
    ///
    /// - Throws: where a turn would fail, too, whatever it is to do.
    package func probe() throws(StoreError) {
        isMemoryStale = true
        try refreshMemory()
        let payload = [UInt8](repeating: 0, count: Engine.probeLength)
        try store.transaction { transaction throws(StoreError) in
            let row = try transaction.insertOutgoing(
                topic: "", payload: payload, correlationData: nil)
            try transaction.deleteOutgoing(row)
        }
    }

    private static let probeLength = 1 << 20

    /// What turns have asked for since the last call; the outcomes go to a later turn.
    package func takePasswordWork() -> [PasswordWork] { authentication.takeWork() }

    /// Deletes all that erased users left, where no messages wait.
    func finishErasures() throws(StoreError) {
        let limit = 10 * Turn.maximumErasure
        while try store.transaction({ transaction throws(StoreError) in
            try transaction.continueErasures(atMost: limit)
        }) == limit {}
        memory.nextErasure = nil
    }

    /// When the next timer is due.
    package var nextTimer: Timestamp? {
        [memory.timers.next, memory.nextErasure, memory.nextSweep, memory.paths.next]
            .compactMap { $0 }.min()
    }

    /// When something that waits because of its cost may go on; nil where nothing does.
    package func nextRelease(at now: Timestamp) -> Timestamp? {
        let requests = memory.line.people.map { $0.budget.next(.request, at: now) }
        let positions = memory.heldBack.values.map { $0.budget.next(.position, at: now) }
        return (Array(requests) + positions).min()
    }

    /// How many requests, and whose positions, wait because of their cost.
    var heldBack: Int { memory.line.count + memory.heldBack.count }

    /// When the next step of a sweep is due; nil where none goes on.
    var nextSweep: Timestamp? { memory.nextSweep }

    /// When a turn is to put more of paths on the broker; nil where nothing waits.
    var nextPath: Timestamp? { memory.paths.next }
    package var hasPathsToShow: Bool { nextPath != nil }

    /// What is counted, and how much waits, by the names of the metrics.
    var metrics: [String: Int64] {
        var metrics = counters
        metrics.set("attempts-forgotten", Int64(authentication.attempts.forgotten))
        metrics.set("guests-forgotten", Int64(authentication.connections.forgottenGuests))
        metrics.set("requests-waiting", Int64(memory.line.count))
        metrics.set("passwords-waiting", Int64(authentication.load))
        metrics.set("arrivals-waiting", Int64(authentication.connections.changeCount))
        return metrics.values
    }

    /// Bytes of the database's write-ahead log.
    var logBytes: Int64 { store.logBytes }

    /// When the newest fix that is kept was received.
    func newestReception() throws(StoreError) -> Timestamp? {
        try store.transaction { transaction throws(StoreError) in
            try transaction.newestReception()
        }
    }

    /// Brings the log into the database, for an end in peace.
    ///
    /// - Returns: false where some program reads meanwhile.
    func emptyLog() throws(StoreError) -> Bool { try store.emptyLog() }

    /// Fixes that were new, since the start.
    var fixCount: Int { Int(counters.values["fixes"] ?? 0) }

    /// Calls for help that were answered by telling it to the groups, since the start.
    var callCount: Int { Int(counters.values["calls"] ?? 0) }

    /// Whether some came or went of whom no turn has taken notice.
    var hasArrivals: Bool { authentication.connections.hasChanges }

    /// Whether the operator's command line may have left something to do.
    func noticesForeignChange() throws(StoreError) -> Bool {
        let change = try store.foreignChanges()
        defer { lastForeignChange = change }
        return change != lastForeignChange
    }

    /// What was to be published before and has not been confirmed, and the rows among it that
    /// were put aside.
    func outbox() throws(StoreError) -> (publications: [Publication], putAside: Set<Int64>) {
        let rows = try store.transaction { transaction throws(StoreError) in
            try transaction.outgoing()
        }
        let publications = rows.map { row in
            Publication(
                topic: row.topic, payload: row.payload, qos: .atLeastOnce,
                correlationData: row.correlationData, lane: .prompt, outboxRow: row.id)
        }
        return (publications, Set(rows.filter(\.isPutAside).map(\.id)))
    }

    /// The same without those put aside.
    package func outgoing() throws(StoreError) -> [Publication] {
        let outbox = try outbox()
        return outbox.publications.filter { !outbox.putAside.contains($0.outboxRow ?? 0) }
    }

    /// Rows of the outbox that are not to be sent again until the bridge is started anew.
    func putAside(_ rows: [Int64], at now: Timestamp) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try store.transaction { transaction throws(StoreError) in
            for row in rows { try transaction.putAside(row, at: now) }
        }
    }

    /// What is to be published so that every retained topic says what it should, given what the
    /// broker keeps now.
    package func corrections(of retained: [String: [UInt8]]) throws(StoreError) -> [Publication] {
        // Nothing is published here: the broker has what it had.
        let paths = memory.paths
        defer { memory.paths = paths }
        var corrections = try beginCorrections(of: retained)
        var all: [Publication] = []
        while let part = try next(of: &corrections) { all += part }
        return all.sorted { $0.topic < $1.topic }
    }

    /// The same, part by part, with turns in between.
    func beginCorrections(of retained: [String: [UInt8]]) throws(StoreError) -> Corrections {
        try refreshMemory()
        return try store.transaction { transaction throws(StoreError) in
            try Corrections(of: retained, memory, transaction)
        }
    }

    /// - Returns: nil when there is no more.
    func next(of corrections: inout Corrections) throws(StoreError) -> [Publication]? {
        try refreshMemory()
        return try store.transaction { transaction throws(StoreError) in
            try corrections.next(memory, settings, transaction)
        }
    }
}
