internal import Clocks
internal import Contract
package import MQTT
public import Store
package import Tracking

/// The bridge without the broker: it runs turns against the store and returns their publications.
///
/// Used by one thread. A method that throws a ``StoreError`` has changed nothing: the transaction
/// is rolled back, and memory is read again before it is used.
public final class Engine {
    private(set) var settings: BridgeSettings
    let store: Store
    var memory: Memory
    /// The record of messages and work that ended the process; nil if nothing outlives it.
    var record: TurnRecord? { didSet { leftOut.formUnion(record?.leftOut ?? []) } }
    /// Work that this process skips: it ended the process repeatedly, or the store rejected it.
    private(set) var leftOut: Set<ClockWork> = []
    /// Work that no turn does any longer, because the store rejected it.
    private var leftOutForGood: Set<Turn.Piece> = []
    /// Whether a turn has touched damage in the database; only a restart clears it.
    private(set) var isDamaged = false
    /// Whether a turn failed, so that memory may differ from the store.
    private var isMemoryStale = false
    /// ``Store/connections`` when memory was read: on a later connection, others may have decided.
    private var connections: Int
    /// People whose position waited to be shown before the turn that failed.
    private var stillHeldBack: [UserID] = []
    /// Whether memory was read again, and no turn has scheduled the due work yet.
    private var isUnscheduled = false
    let authentication: AuthenticationState
    let openWork = OpenWork()
    var clockWitnesses = ClockWitnesses()
    /// Last reported concerns.
    var concerns: [Concern] = []
    /// Whether turns have deleted data at a user's request.
    private var hasDeleted = false
    /// The trackers of those who call for help in the running or failed turn, as they were before.
    private(set) var callersBefore: [UserID: Tracker] = [:]
    private var random: any RandomNumberGenerator
    private var lastForeignChange: Int64
    private(set) var counters = Counters.none
    var measures = Measures()
    /// The total duration of commits since the start.
    private(set) var committing = Duration.zero
    private var sweepPace = SweepPace()
    /// The maximum number of messages in a turn.
    var batchLimit = BridgeSettings.maximumBatch
    /// Measures turns, the size of the next round and of the next sweep step; no other decision
    /// depends on it.
    package var stopwatch: () -> Duration = { ClockReading.now.steady }
    /// The number of the newest rights change.
    private(set) var accessChange: Int64 = 0
    /// Called with every turn before it is committed; a simulation compares them.
    package var onTurn: ((TurnInput) -> Void)?

    /// Called with a line for the log when a refusal escapes from work, which the store then
    /// treats like rejected input.
    var onUnexpected: (String) -> Void = { _ in }

    public init(
        _ store: Store, _ settings: BridgeSettings,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws(StoreError) {
        self.settings = settings
        self.store = store
        self.random = random
        authentication = AuthenticationState(settings)
        memory = try Engine.read(store, settings)
        connections = store.connections
        lastForeignChange = try store.foreignChanges()
    }

    private static func read(_ store: Store, _ settings: BridgeSettings)
        throws(StoreError) -> Memory
    {
        try store.transaction { try Memory($0, settings) }
    }

    func takeOver(_ new: BridgeSettings) { settings.takeOver(new) }

    /// The number of the newest change of rights that is stored.
    func newestAccessChange() throws(StoreError) -> Int64 {
        try store.transaction { try $0.lastAccessChange() }
    }

    /// See ``Store/mayHaveLost``.
    var mayHaveLost: Bool { store.mayHaveLost }

    /// - Throws: an error with the cause `superseded` if another bridge decides.
    func checkDeciding() throws(StoreError) { try store.transaction { _ in } }

    /// See ``Store/whileWaiting(_:)``.
    func whileWaiting(_ body: (() -> Void)?) { store.whileWaiting(body) }

    func refreshMemory() throws(StoreError) {
        guard isMemoryStale || connections != store.connections else { return }
        let old = memory
        memory = try Engine.read(store, settings)
        connections = store.connections
        memory.takeOver(old)
        memory.holdBack(stillHeldBack)
        isMemoryStale = false
        isUnscheduled = true
    }

    /// A turn's tasks besides handling messages.
    struct TurnTasks: OptionSet {
        let rawValue: UInt16
        static let timers = TurnTasks(rawValue: 1)
        static let operatorRequests = TurnTasks(rawValue: 2)
        static let rescheduling = TurnTasks(rawValue: 4)
        static let sweeping = TurnTasks(rawValue: 8)
        static let arrivals = TurnTasks(rawValue: 16)
        /// Resumes work that was held back because of its cost, as far as the budgets allow.
        static let releasing = TurnTasks(rawValue: 32)
        /// Resends messages that an earlier process was sending when it ended.
        static let starting = TurnTasks(rawValue: 64)
        /// Refuses everything unrelated to calls for help, since the disk is full.
        static let sparing = TurnTasks(rawValue: 128)
        /// Reports no one missing: proof of the contrary may still wait at the broker.
        static let catchingUp = TurnTasks(rawValue: 256)
        /// Trusts phones' timestamps, as the server's clock is behind.
        static let clockBehind = TurnTasks(rawValue: 512)
    }

    /// Handles the messages, does the due work, commits, and returns the publications in order.
    ///
    /// - Parameters:
    ///   - confirmed: outbox rows that the broker has by now.
    ///   - outcomes: the outcomes, since the last turn, of work requested by turns.
    ///   - impossible: messages to refuse regardless of their content.
    ///   - decisions: the decisions made when another engine ran the turn.
    func turn(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        _ tasks: TurnTasks, confirmed: [Int64] = [], outcomes: [any WorkOutcome] = [],
        impossible: [Message] = [], following decisions: TurnDecisions? = nil
    ) throws(StoreError) -> [Publication] {
        let start = stopwatch()
        var rejected = leftOutForGood
        store.sendTogether(true)
        defer { store.sendTogether(false) }
        while true {
            try refreshMemory()
            callersBefore = callers(in: messages)
            let tasks = isUnscheduled ? tasks.union(.rescheduling) : tasks
            stillHeldBack = Array(memory.heldBack.keys)
            var current: Turn?
            do {
                let (publications, counted, work, decided) = try store.transaction { transaction in
                    guard connections == store.connections else { throw StoreError.reconnected }
                    let turn = Turn(
                        at: now, listeningSince: listeningSince, settings, memory, transaction,
                        authentication, openWork, following: decisions, random: random)
                    turn.isSparing = tasks.contains(.sparing)
                    turn.isCatchingUp = tasks.contains(.catchingUp)
                    turn.concerns = concerns
                    turn.isClockBehind = tasks.contains(.clockBehind)
                    turn.watchesClocks = !clockWitnesses.isEmpty
                    turn.isDamaged = isDamaged
                    (turn.record, turn.leftOut, turn.rejected) = (record, leftOut, rejected)
                    current = turn
                    for row in confirmed { try transaction.deleteOutgoing(row) }
                    do {
                        try run(turn, messages, refusing: impossible, tasks, outcomes)
                    } catch {
                        turn.unexpected(error).map(onUnexpected)
                        throw error
                    }
                    onTurn?(
                        TurnInput(
                            messages: messages, now: now, listeningSince: listeningSince,
                            tasks: tasks, outcomes: outcomes,
                            decisions: turn.decisions.decided))
                    random = turn.random
                    if transaction.mayHaveChangedRights {
                        accessChange = try transaction.lastAccessChange()
                    }
                    return (turn.publications, turn.counted, turn.work, stopwatch())
                }
                callersBefore = [:]
                counters.add(counted)
                authentication.connections.forgetTaken()
                if tasks.contains(.rescheduling) { isUnscheduled = false }
                let end = stopwatch()
                measures.turnMessages.note(Double(messages.count))
                measures.turns.note(end - start)
                measures.commits.note(end - decided)
                committing += end - decided
                openWork.exchange(outcomes, for: work)
                if current?.hasDeleted == true { hasDeleted = true }
                if current?.isDamaged == true { isDamaged = true }
                for (person, ahead) in current?.clockSigns ?? [:] {
                    clockWitnesses.note(person, ahead: ahead, at: now)
                }
                return publications
            } catch {
                isMemoryStale = true
                authentication.connections.putBackTaken()
                if error == .unattributed {
                    store.sendTogether(false)
                    continue
                }
                if error.touchesDamage { isDamaged = true }
                guard error.isAboutInput || error.touchesDamage, let current,
                    leavesOut(what: current, messages.isEmpty, &rejected)
                else { throw error }
            }
        }
    }

    /// Skips work that the store rejects, so that the turn can be run without it.
    ///
    /// - Parameter hasNoMessages: otherwise a message may be the cause.
    /// - Returns: whether something new is skipped.
    private func leavesOut(
        what turn: Turn, _ hasNoMessages: Bool, _ rejected: inout Set<Turn.Piece>
    ) -> Bool {
        if let piece = turn.serving {
            if case .aside(let aside) = piece, aside.isLeftOutForGood {
                leftOutForGood.insert(piece)
            }
            return rejected.insert(piece).inserted
        }
        guard hasNoMessages, let work = turn.working else { return false }
        return leftOut.insert(work).inserted
    }

    /// Runs the turn's work, in this order.
    private func run(
        _ turn: Turn, _ messages: [Message], refusing impossible: [Message], _ tasks: TurnTasks,
        _ outcomes: [any WorkOutcome]
    ) throws {
        try turn.take(outcomes, isStarting: tasks.contains(.starting))
        if tasks.contains(.releasing) { try turn.serveWaiting() }
        try turn.take(messages)
        for message in impossible { try turn.refuse(message) }
        if messages.count >= batchLimit { turn.count("turns-full") }
        if tasks.contains(.arrivals) { try turn.takeArrivals() }
        if tasks.contains(.operatorRequests) { try turn.takeOperatorRequests() }
        if tasks.contains(.rescheduling) { try turn.rescheduleAll() }
        if tasks.contains(.timers) { try turn.advanceTimers() }
        if tasks.contains(.sweeping) { try turn.beginSweep() }
        try turn.continueErasures()
        let sweepStart = stopwatch()
        if try turn.continueSweep(atMost: sweepPace.rows) {
            sweepPace.note(stopwatch() - sweepStart)
        }
        if tasks.contains(.releasing) { turn.releasePositions() }
        try turn.finish()
    }

    /// Repeats another engine's turn on this engine's own store. The outbox is left as it is.
    package func repeatTurn(_ input: TurnInput) throws(StoreError) -> [Publication] {
        try turn(
            input.messages, at: input.now, listeningSince: input.listeningSince,
            input.tasks,
            outcomes: input.outcomes, following: input.decisions)
    }

    /// Runs a turn with these messages and nothing else.
    package func take(_ messages: [Message], at now: Timestamp)
        throws(StoreError) -> [Publication]
    {
        try turn(messages, at: now, listeningSince: now, [])
    }

    /// Writes as much as a large turn does, and rolls it back.
    ///
    /// - Throws: if any turn would also fail.
    package func probe() throws(StoreError) {
        isMemoryStale = true
        try refreshMemory()
        let payload = [UInt8](repeating: 0, count: Engine.probeLength)
        try store.transaction { transaction in
            let row = try transaction.insertOutgoing(
                topic: "", payload: payload, correlationData: nil)
            try transaction.deleteOutgoing(row)
        }
    }

    private static let probeLength = 1 << 20

    /// Takes the work of the type that turns have requested since the last call; later turns get the
    /// outcomes.
    package func takeWork<Item>(_ type: Item.Type) -> [Item] { openWork.take(type) }

    /// Whether turns since the last call have deleted data at a user's request: until the
    /// write-ahead log is emptied it still contains the data.
    package func takeDeletion() -> Bool {
        defer { hasDeleted = false }
        return hasDeleted
    }

    /// Performs the commands that the operator's command line has stored, and their consequences,
    /// without a broker. Publications stay in the outbox, or are corrected when the bridge starts.
    package func answerOperator(at now: Timestamp) throws(StoreError) {
        let far = now + .seconds(365 * 86_400)
        _ = try turn([], at: now, listeningSince: far, .operatorRequests)
        try finishErasures()
        // If another program is reading, the bridge does it when it starts.
        if hasDeleted { _ = try store.emptyLog() }
    }

    /// Deletes all remains of erased users, if no messages wait.
    func finishErasures() throws(StoreError) {
        let limit = 10 * Turn.maximumErasure
        while try store.transaction({ transaction in
            try transaction.continueErasures(atMost: limit, isMention: Turn.isMention(of:_:))
        }) == limit {}
        memory.nextErasure = nil
    }

    /// Whether the operator's command line may have stored commands.
    func noticesForeignChange() throws(StoreError) -> Bool {
        let change = try store.foreignChanges()
        defer { lastForeignChange = change }
        return change != lastForeignChange
    }
}
