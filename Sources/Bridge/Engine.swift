internal import Clocks
internal import Contract
package import MQTT
public import Store
package import Tracking

/// The bridge without the broker: it runs turns against the store and returns what they publish.
///
/// Used by one thread. A method that throws a ``StoreError`` has changed nothing: the transaction
/// is rolled back, and memory is read again before it is used.
public final class Engine {
    private(set) var settings: BridgeSettings
    let store: Store
    var memory: Memory
    /// Knows over what the process ended; nil if nothing outlives it.
    var record: TurnRecord? { didSet { leftOut.formUnion(record?.leftOut ?? []) } }
    /// What this process does not do: the process ended over it again and again, or the store rejected
    /// it.
    private(set) var leftOut: Set<ClockWork> = []
    /// What no turn does any more, as the store rejected it.
    private var leftOutForGood: Set<Turn.Piece> = []
    /// Whether a turn has touched damage in the database; nothing but a restart forgets it.
    private(set) var isDamaged = false
    /// Whether a turn failed, so that memory may differ from the store.
    private var isMemoryStale = false
    /// People whose position waited to be shown before the turn that failed.
    private var stillHeldBack: [UserID] = []
    /// Whether memory was read again, and no turn has scheduled yet what is due.
    private var isUnscheduled = false
    let authentication: AuthenticationState
    private var deliveries: [Delivery] = []
    private var dispatchCalls: [DispatchCall] = []
    private var cohortWork: [CohortWork] = []
    var clockWitnesses = ClockWitnesses()
    /// As last reported.
    var concerns: [Concern] = []
    /// Whether turns have deleted what somebody wants gone.
    private var hasDeleted = false
    private var random: any RandomNumberGenerator
    private var lastForeignChange: Int64
    private(set) var counters = Counters.none
    var measures = Measures()
    /// How long commits have taken, since the start.
    private(set) var committing = Duration.zero
    private var sweepPace = SweepPace()
    /// The maximum number of messages in a turn.
    var batchLimit = BridgeSettings.maximumBatch
    /// Measures turns, the size of the next round and of the next step of a sweep; no other decision
    /// depends on it.
    package var stopwatch: () -> Duration = { ClockReading.now.steady }
    /// The number of the newest change of anybody's rights.
    private(set) var accessChange: Int64 = 0
    /// Called with every turn before it is committed; a simulation compares them.
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

    func takeOver(_ new: BridgeSettings) { settings.takeOver(new) }

    func refreshMemory() throws(StoreError) {
        guard isMemoryStale else { return }
        let old = memory
        memory = try Engine.read(store, settings)
        memory.takeOver(old)
        memory.holdBack(stillHeldBack)
        isMemoryStale = false
        isUnscheduled = true
    }

    /// What a turn is to do besides taking messages.
    struct TurnTasks: OptionSet {
        let rawValue: UInt16
        static let timers = TurnTasks(rawValue: 1)
        static let operatorRequests = TurnTasks(rawValue: 2)
        static let rescheduling = TurnTasks(rawValue: 4)
        static let sweeping = TurnTasks(rawValue: 8)
        static let arrivals = TurnTasks(rawValue: 16)
        /// Resumes what was held back because of its cost, as far as the budgets allow.
        static let releasing = TurnTasks(rawValue: 32)
        /// Sends again what an earlier process was sending when it ended.
        static let starting = TurnTasks(rawValue: 64)
        /// Refuses what does not belong to calls for help, since the disk is full.
        static let sparing = TurnTasks(rawValue: 128)
        /// Reports nobody missing: what would show that they are not may still wait at the broker.
        static let catchingUp = TurnTasks(rawValue: 256)
        /// Takes phones at their word, as the server's clock is behind.
        static let clockBehind = TurnTasks(rawValue: 512)
    }

    /// Takes the messages, does what is due, commits, and returns what is to be published now, in
    /// this order.
    ///
    /// - Parameters:
    ///   - confirmed: rows of the outbox that the broker has by now.
    ///   - outcomes: of work that turns have asked for, since the last turn.
    ///   - impossible: messages that are to be refused, whatever they say.
    ///   - decisions: what the budgets decided when the turn was taken elsewhere.
    func turn(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        _ tasks: TurnTasks, confirmed: [Int64] = [], outcomes: WorkOutcomes = WorkOutcomes(),
        impossible: [Message] = [], following decisions: TurnDecisions? = nil
    ) throws(StoreError) -> [Publication] {
        let start = stopwatch()
        var rejected = leftOutForGood
        while true {
            try refreshMemory()
            let tasks = isUnscheduled ? tasks.union(.rescheduling) : tasks
            stillHeldBack = Array(memory.heldBack.keys)
            var current: Turn?
            do {
                let (publications, counted, work, decided) = try store.transaction {
                    transaction throws(StoreError) in
                    let turn = Turn(
                        at: now, listeningSince: listeningSince, settings, memory, transaction,
                        authentication, following: decisions, random: random)
                    turn.isSparing = tasks.contains(.sparing)
                    turn.isCatchingUp = tasks.contains(.catchingUp)
                    turn.concerns = concerns
                    turn.isClockBehind = tasks.contains(.clockBehind)
                    turn.watchesClocks = !clockWitnesses.isEmpty
                    turn.isDamaged = isDamaged
                    (turn.record, turn.leftOut, turn.rejected) = (record, leftOut, rejected)
                    current = turn
                    for row in confirmed { try transaction.deleteOutgoing(row) }
                    try run(turn, messages, refusing: impossible, tasks, outcomes)
                    onTurn?(
                        TurnInput(
                            messages: messages, now: now, listeningSince: listeningSince,
                            tasks: tasks, outcomes: outcomes,
                            decisions: turn.decisions.decided))
                    random = turn.random
                    accessChange = try transaction.lastAccessChange()
                    return (turn.publications, turn.counted, turn.work, stopwatch())
                }
                counters.add(counted)
                authentication.connections.forgetTaken()
                if tasks.contains(.rescheduling) { isUnscheduled = false }
                let end = stopwatch()
                measures.turnMessages.note(Double(messages.count))
                measures.turns.note(end - start)
                measures.commits.note(end - decided)
                committing += end - decided
                authentication.exchange(outcomes.passwords, for: work)
                authentication.exchange(outcomes.directory, for: current?.directoryWork ?? [])
                deliveries += current?.deliveries ?? []
                dispatchCalls += current?.dispatchCalls ?? []
                cohortWork += current?.cohortWork ?? []
                if current?.hasDeleted == true { hasDeleted = true }
                if current?.isDamaged == true { isDamaged = true }
                for (person, ahead) in current?.clockSigns ?? [:] {
                    clockWitnesses.note(person, ahead: ahead, at: now)
                }
                return publications
            } catch {
                isMemoryStale = true
                authentication.connections.putBackTaken()
                if error.touchesDamage { isDamaged = true }
                guard error.isAboutInput || error.touchesDamage, let current,
                    leavesOut(what: current, messages.isEmpty, &rejected)
                else { throw error }
            }
        }
    }

    /// Leaves out what the store rejects of the turn, so that it can be taken without it.
    ///
    /// - Parameter hasNoMessages: otherwise a message may be the cause.
    /// - Returns: whether there is something that was not left out before.
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

    /// Has the turn do its work, in this order.
    private func run(
        _ turn: Turn, _ messages: [Message], refusing impossible: [Message], _ tasks: TurnTasks,
        _ outcomes: WorkOutcomes
    ) throws(StoreError) {
        try turn.take(outcomes, isStarting: tasks.contains(.starting))
        if tasks.contains(.releasing) { try turn.serveWaiting() }
        try turn.take(messages)
        for message in impossible { try turn.refuse(message) }
        if messages.count >= batchLimit { turn.count("turns-full") }
        if tasks.contains(.arrivals) { try turn.takeArrivals() }
        if tasks.contains(.operatorRequests) { try turn.areas.accounts.takeOperatorRequests() }
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

    /// Repeats a turn of another engine on a store of its own. The outbox is left as it is.
    package func repeatTurn(_ input: TurnInput) throws(StoreError) -> [Publication] {
        try turn(
            input.messages, at: input.now, listeningSince: input.listeningSince,
            input.tasks,
            outcomes: input.outcomes, following: input.decisions)
    }

    /// Takes a turn with these messages and nothing else.
    package func take(_ messages: [Message], at now: Timestamp)
        throws(StoreError) -> [Publication]
    {
        try turn(messages, at: now, listeningSince: now, [])
    }

    /// Writes as much as a large turn does, and rolls it back.
    ///
    /// - Throws: if a turn would fail, too, whatever it had to do.
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

    /// Takes the work that turns have requested since the last call; a later turn gets the
    /// outcomes.
    package func takePasswordWork() -> [PasswordWork] { authentication.takeWork() }

    /// Takes what turns have to ask the directory since the last call; later turns get the outcomes.
    package func takeDirectoryWork() -> [DirectoryWork] { authentication.takeDirectoryWork() }

    /// Takes the deliveries that turns have handed over since the last call; a later turn gets the
    /// outcomes.
    package func takeDeliveries() -> [Delivery] {
        defer { deliveries = [] }
        return deliveries
    }

    /// Takes the calls to dispatch that turns have handed over since the last call; later
    /// turns get the outcomes.
    package func takeDispatchCalls() -> [DispatchCall] {
        defer { dispatchCalls = [] }
        return dispatchCalls
    }

    /// Takes the counting that turns have asked for since the last call; later turns get the
    /// outcomes.
    package func takeCohortWork() -> [CohortWork] {
        defer { cohortWork = [] }
        return cohortWork
    }

    /// Whether turns since the last call have deleted what somebody wants gone: until the write-ahead log is
    /// emptied it still stands there.
    package func takeDeletion() -> Bool {
        defer { hasDeleted = false }
        return hasDeleted
    }

    /// Does what the operator's command line has left in the store, and all that follows from it,
    /// without a broker. What it would publish stays in the outbox, or is corrected when the bridge
    /// starts.
    package func answerOperator(at now: Timestamp) throws(StoreError) {
        let far = now + .seconds(365 * 86_400)
        _ = try turn([], at: now, listeningSince: far, .operatorRequests)
        try finishErasures()
        // If somebody reads at the time, the bridge does it when it starts.
        if hasDeleted { _ = try store.emptyLog() }
    }

    /// Deletes everything that erased users left, if no messages wait.
    func finishErasures() throws(StoreError) {
        let limit = 10 * Turn.maximumErasure
        while try store.transaction({ transaction throws(StoreError) in
            try transaction.continueErasures(atMost: limit, isMention: Turn.isMention(of:_:))
        }) == limit {}
        memory.nextErasure = nil
    }

    /// Whether the operator's command line may have left something to do.
    func noticesForeignChange() throws(StoreError) -> Bool {
        let change = try store.foreignChanges()
        defer { lastForeignChange = change }
        return change != lastForeignChange
    }
}
