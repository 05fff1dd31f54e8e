package import Clocks
internal import Contract
package import Logging
package import MQTT
internal import Store
internal import Tracking

/// The bridge's work from one turn to the next: it receives the messages waiting on a connection,
/// has the engine decide and commit, publishes, and releases the acknowledgements. Without a
/// connection it does timed work.
///
/// Connections and the current time are passed in; it never blocks.
package final class TurnLoop {
    package let engine: Engine
    private(set) var settings: BridgeSettings
    let logger: Logger

    private var clock = Clock()
    /// When the clock was last set, by its own time then.
    private(set) var clockSetAt: Timestamp?
    /// Nil while there is no connection: silence proves nothing then.
    private(set) var listeningSince: Timestamp?
    let publisher: Publisher
    /// The number of turns that handled few messages because so many publications were waiting.
    var throttledTurns: Int64 = 0
    /// Nil if nothing outlives the process.
    var record: TurnRecord? {
        get { engine.record }
        set { engine.record = newValue }
    }
    /// When messages were first received, by the steady clock.
    var servingSince: Duration?
    private var outcomes: [any WorkOutcome] = []
    /// Whether no turn has run yet.
    private var isStarting = true
    private var rescheduling = true
    private var pace = PeriodicTasks()
    private var batch = BatchLimit()
    var logWatch = LogWatch()
    private var logEmptying = LogEmptying()
    var callWatch = CallWatch()
    /// Nil if there is no file for it.
    var lastBackup: LastBackup?
    var directoryWatch = DirectoryWatch()
    let earlyCalls: EarlyCalls
    var rightsCheck: RightsCheck? {
        get { publisher.rightsCheck }
        set { publisher.rightsCheck = newValue }
    }
    /// Nil if nothing outlives the process.
    var disk: DiskWatch?
    /// The time since which only calls for help and related data are stored; nil: everything is.
    var sparingSince: Timestamp?
    /// Messages that were read and left at the broker, to be searched for calls for help.
    var overheard: [Message] = []
    /// The gate's newest barrier on each lane that is not returned yet.
    var barriers: [TopicRow.Lane: Message] = [:]
    private(set) lazy var barrierTopics = BarrierTopics(settings.topics)
    /// The concerns as last reported.
    var concerns = Concerns()
    /// The time since which work has been skipped.
    var leftOutSince: Timestamp?
    var damagedSince: Timestamp?
    var sweepPermit = SweepPermit()
    /// The metrics of this process by name; none in a simulation.
    var ofProcess: () -> [String: Int64] = { [:] }
    /// When the certificate expires, and when it was checked.
    var certificate: (end: Timestamp?, lookedAt: Timestamp)?
    /// Set by the loop.
    var isOperatorUnreachable = false
    /// The metrics as last published.
    var reported: [String: String] = [:]
    /// The subscriptions that the broker has yet to grant.
    var subscriptions: AwaitedSubscriptions?
    /// By the steady clock.
    var startedAt: Duration?
    private var catchUp: CatchUp?
    /// The remaining comparison with the broker's retained messages.
    private var corrections: Corrections?

    package init(_ engine: Engine, _ settings: BridgeSettings, logger: Logger) {
        self.engine = engine
        self.settings = settings
        self.logger = logger
        publisher = Publisher(engine, logger)
        earlyCalls = EarlyCalls(logger)
        engine.onUnexpected = { logger.error("\($0)") }
    }

    /// Applies settings that can change between two turns; due times are recomputed.
    package func takeOver(_ new: BridgeSettings) {
        settings.takeOver(new)
        engine.takeOver(new)
        rescheduling = true
    }

    // MARK: Connected

    /// Whether the broker has granted all subscriptions.
    var isListening: Bool { subscriptions?.isEmpty == true }

    /// Starts using a connection that has subscribed to the inputs. The bridge is online once the
    /// broker has granted that.
    ///
    /// - Parameter identifiers: the subscriptions that the broker has yet to answer.
    package func begin(
        _ link: some BrokerLink, at moment: ClockReading,
        awaiting identifiers: Set<Connection.SubscriptionID> = []
    ) throws {
        try awaitRights()
        try publisher.begin(link, at: moment.wall)
        subscriptions = AwaitedSubscriptions(identifiers, at: moment.steady)
        startedAt = startedAt ?? moment.steady
        if identifiers.isEmpty { try publisher.publish([status("online")], link) }
        try link.flush()
        if clock.look(at: moment) { engine.clockWitnesses.forget() }
        try lookAtClock(moment)
        listeningSince = moment.wall
        catchUp = CatchUp(at: moment.steady, after: catchUp)
        rescheduling = true
        reported = [:]
    }

    /// Corrects the broker's retained messages on the bridge's topics in the following turns.
    package func correct(_ retained: [String: [UInt8]]) throws {
        corrections = try engine.beginCorrections(of: retained)
    }

    /// Publishes corrections as fast as the broker accepts them, and never before the turns'
    /// publications.
    private func publishCorrections(_ link: some BrokerLink) throws {
        guard publisher.isQueueEmpty, link.unanswered < TurnLoop.calm, var corrections else {
            return
        }
        self.corrections = nil
        guard let part = try engine.next(of: &corrections) else { return FreedMemory.giveBack() }
        self.corrections = corrections
        try publisher.publish(part, link)
    }

    /// Runs one turn, or none if there is nothing to do.
    ///
    /// - Parameter new: the outcomes of work since the last turn.
    /// - Returns: the number of messages handled.
    @discardableResult
    package func round(
        _ link: some BrokerLink, at moment: ClockReading,
        outcomes new: [any WorkOutcome] = []
    ) throws -> Int {
        // Kept here because they have left the workers, even if something fails before a turn
        // handles them.
        note(new, at: moment)
        let isThrottled = publisher.waitingCount >= BridgeSettings.maximumWaiting
        if isThrottled { throttledTurns += 1 }
        let isCareful = isCareful(at: moment.steady)
        engine.batchLimit = isThrottled ? BridgeSettings.throttledBatch : batch.count
        if isCareful { engine.batchLimit = min(engine.batchLimit, TurnLoop.carefulBatch) }
        let messages = takeBarriers(
            among: takeOverheard(atMost: engine.batchLimit)
                + link.receive(atMost: engine.batchLimit, bytes: batch.bytes))
        let failure = try noteEvents(link, at: moment)
        try rightsCheck?.retry()
        if pace.isDue(.retrying, at: moment.steady) { try publisher.retry() }
        try publisher.publishWaiting(link, at: moment.wall)
        let now = moment.wall
        if clock.look(at: moment) {
            logger.warning("The server's clock was set.")
            listeningSince = now
            rescheduling = true
            clockSetAt = now
            engine.clockWitnesses.forget()
            try lookAtClock(moment)
            if isListening { try publisher.publish([status("online")], link) }
        }
        var tasks = try tasks(at: moment)
        let isCalm = !isThrottled && isCalm(link, at: moment.steady)
        if catchUp?.isOver(isQuiet: messages.isEmpty, at: moment.steady) == true { catchUp = nil }
        if !isCalm { tasks.remove(.timers) }
        let isReleasing = engine.nextRelease(at: now).map { $0 <= now } ?? false
        let isIdle =
            messages.isEmpty && tasks.isEmpty && outcomes.isEmpty
            && !(isCalm && (engine.hasArrivals || isReleasing))
        // If the connection ended, the broker may also have ended before it saved anything.
        let saved = failure == nil ? saved(at: moment.steady) : []
        let (fixesBefore, callsBefore) = (engine.fixCount, engine.callCount)
        let committedBefore = engine.committing
        let calledAt = moment.steady - longestWait(in: messages, at: moment.wall)
        if sparingSince != nil { tasks.insert(.sparing) }
        if catchUp != nil { tasks.insert(.catchingUp) }
        if sweepPermit.doubt?.isBehind == true { tasks.insert(.clockBehind) }
        if !isIdle || (!saved.isEmpty && pace.isDue(.confirming, at: moment.steady)) {
            if isCalm { tasks.formUnion([.arrivals, .releasing]) }
            let accessChange = engine.accessChange
            let calls = messages.filter(EarlyCalls.isCall)
            earlyCalls.note(taken: calls, at: moment.steady)
            let publications = try engine.turnIsolating(
                messages, at: now, listeningSince: heardSince(at: now),
                tasks,
                confirmed: saved, outcomes: outcomes, isCareful: isCareful)
            outcomes = []
            isStarting = false
            earlyCalls.note(handled: calls, at: moment.steady)
            publisher.delivery.forgetSaved(saved.count)
            if engine.callCount > callsBefore {
                callWatch.begin(
                    publications, in: settings.topics, since: calledAt, at: moment.steady)
            }
            // Before many publications: the broker reads one message per pass.
            try returnBarriers(link)
            if engine.accessChange != accessChange {
                if let rightsCheck {
                    try rightsCheck.await(engine.accessChange)
                } else {
                    link.pause(for: AccessPolicy.freshness)
                }
            }
            try publisher.publish(publications, link)
        }
        // If there was no turn.
        try returnBarriers(link)
        try publishCorrections(link)
        try link.flush()
        noteLatency(ofFixes: engine.fixCount - fixesBefore, since: moment.steady)
        noteLatency(ofCalls: engine.callCount - callsBefore, since: calledAt)
        batch.note(
            messages.count, messages.reduce(0) { $0 + $1.payload.count },
            in: engine.stopwatch() - moment.steady - (engine.committing - committedBefore))
        if pace.isDue(.maintaining, at: moment.steady) {
            link.maintain()
            earlyCalls.receive(at: moment.steady)
            disk?.look(logger)
        }
        if pace.isDue(.reporting, at: moment.steady) {
            logWatch.look(at: engine.logBytes, logger)
            directoryWatch.look(at: engine.counters.values, logger)
            try lookAtClock(moment)
            try tellConcerns(link, at: now)
            try publisher.publish(metrics(link, at: moment.steady), link)
        }
        if let failure { throw failure }
        emptyLog(at: moment)
        return messages.count
    }

    /// Removes deleted data from the write-ahead log, after the turn's publications are sent.
    private func emptyLog(at moment: ClockReading) {
        // On a full disk the log's space is available to calls for help.
        guard sparingSince == nil else { return }
        logEmptying.look(at: moment.steady, hasDeleted: engine.takeDeletion(), logger) {
            engine.emptyLogInSteps()
        }
    }

    /// Returns whether work that can wait may be done. It is deferred, though not for ever, while
    /// the broker has not acknowledged earlier publications: the broker reads one message from the
    /// bridge per pass over all its connections, and fixes queue behind them.
    private func isCalm(_ link: some BrokerLink, at now: Duration) -> Bool {
        link.unanswered < TurnLoop.calm || pace.isDue(.insisting, at: now)
    }

    /// About the number of messages published for one turn's share of timers and arrivals.
    private static let calm = 50

    /// Returns the rows that would survive the end of the broker. Newer ones are published again if
    /// the connection breaks.
    private func saved(at now: Duration) -> [Int64] {
        // Twice, since the broker may have begun to save just before; the extra second covers the
        // writing.
        let saving = settings.broker.autosaveInterval * 2 + .seconds(1)
        return publisher.delivery.saved(at: now, after: saving)
    }

    private func tasks(at moment: ClockReading) throws -> Engine.TurnTasks {
        var tasks: Engine.TurnTasks = []
        if let due = engine.nextTimer, due <= moment.wall { tasks.insert(.timers) }
        if try pace.isDue(.lookingForChanges, at: moment.steady) && engine.noticesForeignChange() {
            tasks.insert(.operatorRequests)
        }
        if isStarting { tasks.insert(.starting) }
        if rescheduling {
            tasks.formUnion([.rescheduling, .operatorRequests])
            rescheduling = false
        }
        if pace.isDue(.sweeping, at: moment.steady) {
            try lookAtClock(moment)
            if sweepPermit.isGranted { tasks.insert(.sweeping) }
        }
        return tasks
    }

    private func note(_ new: [any WorkOutcome], at moment: ClockReading) {
        outcomes += new.filter { $0.kind != nil }
        directoryWatch.note(new, at: moment.steady, logger)
        for outcome in new { outcome.logFailure(logger) }
    }

    private func lookAtClock(_ moment: ClockReading) throws(StoreError) {
        try sweepPermit.look(
            at: moment, phones: engine.clockWitnesses.verdict(at: moment.wall), engine, logger)
    }

    /// Returns how long to sleep at most before the next turn, in milliseconds.
    package func patience(at moment: ClockReading) -> Int32 {
        if publisher.isHeld { return TurnLoop.pauseWhileHeld }
        if corrections != nil || engine.hasArrivals || !overheard.isEmpty { return TurnLoop.nap }
        var timer = engine.nextTimer
        // Due work may have to wait.
        if catchUp != nil { timer = timer.map { max($0, moment.wall + CatchUp.pause) } }
        let next = [timer, engine.nextRelease(at: moment.wall)].compactMap { $0 }.min()
        return pace.patience(untilTimer: next.map { $0 - moment.wall })
    }

    /// The pause until the broker has acknowledged some more, in milliseconds.
    private static let nap: Int32 = 1
    /// The pause while the gate lacks a change of rights, in milliseconds.
    private static let pauseWhileHeld: Int32 = 20

    /// The amount of unfinished work: zero once the broker has confirmed everything.
    package var backlog: Int {
        publisher.delivery.count + outcomes.count + (publisher.isQueueEmpty ? 0 : 1)
            + (corrections == nil ? 0 : 1)
            + (engine.hasArrivals ? 1 : 0) + engine.heldBack + (engine.hasPathsToShow ? 1 : 0)
    }

    /// Waits until the gate has all rights that are stored; if it does not, everything is held.
    func awaitRights() throws {
        guard let rightsCheck else { return }
        try rightsCheck.await(try engine.newestAccessChange())
    }

    /// Notifies groups of the calls for help that are not stored yet.
    func announceEarly(at moment: ClockReading) {
        do throws(MQTTError) { try rightsCheck?.retry() } catch { return }
        // People who may not see them any more would receive them.
        guard !publisher.isHeld else { return earlyCalls.receive(at: moment.steady) }
        earlyCalls.announce(at: moment.steady) { engine.earlyAlerts(of: $0, at: moment.wall) }
    }

    // MARK: Not connected

    /// To be called when the connection is gone: the fate of messages in flight is unknown, so they
    /// are sent again.
    ///
    /// - Parameter isSuspicious: whether the broker may have ended it because of a message.
    package func lose(isSuspicious: Bool = false) {
        listeningSince = nil
        rescheduling = true
        publisher.lose(isSuspicious: isSuspicious)
        corrections = nil
        overheard = []
        barriers = [:]
    }

    /// Does timed work; results are published once there is a connection again. Channels and ways
    /// to dispatch need no broker.
    ///
    /// - Parameter new: the outcomes of work since the last turn; some wait for a connection.
    package func idle(at moment: ClockReading, outcomes new: [any WorkOutcome] = []) throws {
        note(new, at: moment)
        if clock.look(at: moment) { engine.clockWitnesses.forget() }
        if pace.isDue(.reporting, at: moment.steady) {
            try lookAtClock(moment)
            findConcerns(at: moment.wall)
        }
        emptyLog(at: moment)
        let never = moment.wall + TurnLoop.never
        disk?.look(logger)
        var tasks = try tasks(at: moment)
        tasks.remove(.sweeping)
        // Most connections come back, and with them the proof that no one is missing.
        let wait = catchUp ?? CatchUp(at: moment.steady)
        catchUp = wait
        let due = outcomes.filter { $0.kind?.needsConnection == false }
        guard !tasks.isEmpty || !due.isEmpty else { return }
        if !wait.isOver(at: moment.steady) { tasks.insert(.catchingUp) }
        _ = try engine.turnIsolating(
            [], at: moment.wall, listeningSince: never, tasks, outcomes: due)
        outcomes.removeAll { $0.kind?.needsConnection == false }
        isStarting = false
    }
}
