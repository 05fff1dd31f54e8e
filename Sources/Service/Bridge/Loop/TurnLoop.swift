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
    let brokers: [ServedBroker]
    private var savedRows: SavedRows
    /// Whether one of several brokers was lost, and no round has seen that.
    private var hasLostBroker = false
    /// When the loss of one of several brokers last counted as a reason for silence.
    private var lossesForgiven: Duration?
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
    /// Nil if nothing outlives the process.
    var disk: DiskWatch?
    /// The time since which only calls for help and related data are stored; nil: everything is.
    var sparingSince: Timestamp?
    /// Messages that were read and left at the broker, to be searched for calls for help.
    var overheard: [Message] = []
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
    /// By the steady clock.
    var startedAt: Duration?
    private var catchUp: CatchUp?

    package init(_ engine: Engine, _ settings: BridgeSettings, logger: Logger) {
        self.engine = engine
        self.settings = settings
        self.logger = logger
        brokers = settings.broker.addresses.indices.map {
            ServedBroker(
                $0, of: settings.broker.addresses.count, engine, settings.topics, logger)
        }
        savedRows = SavedRows(brokers: brokers.count)
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

    /// Whether a broker has granted all subscriptions.
    var isListening: Bool { brokers.contains(where: \.isListening) }
    var isConnected: Bool { brokers.contains(where: \.isConnected) }
    var hasSeveralBrokers: Bool { brokers.count > 1 }

    /// Starts using a connection that has subscribed to the inputs. The bridge is online once the
    /// broker has granted that.
    ///
    /// - Parameters:
    ///   - identifiers: the subscriptions that the broker has yet to answer.
    ///   - number: the broker.
    package func begin(
        _ link: any BrokerLink, at moment: ClockReading,
        awaiting identifiers: Set<Connection.SubscriptionID> = [], broker number: Int = 0
    ) throws {
        let broker = brokers[number]
        broker.begin(link, awaiting: AwaitedSubscriptions(identifiers, at: moment.steady))
        if broker.publisher.rightsCheck != nil {
            awaitRights(try engine.newestAccessChange(), at: [broker])
        }
        try broker.resume(at: moment.wall, savedRows)
        startedAt = startedAt ?? moment.steady
        if identifiers.isEmpty { try broker.publish(status("online")) }
        try broker.flush(atMost: hasSeveralBrokers ? TurnLoop.flushPatience : nil)
        if clock.look(at: moment) { engine.clockWitnesses.forget() }
        try lookAtClock(moment)
        // While another broker is connected, silence proves something.
        listeningSince = listeningSince ?? moment.wall
        catchUp = CatchUp(at: moment.steady, after: catchUp)
        rescheduling = true
        reported = [:]
    }

    /// How long one of several brokers may keep the others waiting.
    private static let flushPatience = Duration.milliseconds(20)

    /// Corrects a broker's retained messages on the bridge's topics in the following turns.
    package func correct(_ retained: [String: [UInt8]], broker number: Int = 0) throws {
        brokers[number].corrections = try engine.beginCorrections(of: retained)
    }

    /// Publishes corrections as fast as the brokers accept them, and never before the turns'
    /// publications.
    private func publishCorrections() throws {
        for broker in brokers {
            guard broker.isTaking, broker.publisher.isQueueEmpty,
                broker.unanswered < TurnLoop.calm, var corrections = broker.corrections
            else { continue }
            broker.corrections = nil
            guard let part = try engine.next(of: &corrections) else {
                FreedMemory.giveBack()
                continue
            }
            broker.corrections = corrections
            for publication in part { try broker.publish(publication) }
        }
    }

    /// Publishes to all brokers that are connected, or to the one that it is for.
    func publish(_ publications: [Publication]) throws {
        var publications = publications
        let connected = brokers.filter(\.isConnected)
        for index in publications.indices {
            let publication = publications[index]
            if publication.isDirectAnswer,
                connected.contains(where: {
                    $0.isMeant(by: publication) && !$0.sendsAtOnce(publication)
                })
            {
                // The request's acknowledgement will not wait for the answer to be sent.
                try engine.keepAnswers(in: &publications[index...])
            }
            for broker in connected where broker.isMeant(by: publications[index]) {
                try broker.publish(publications[index])
            }
        }
    }

    /// Publishes the bridge's health to the brokers that have granted all subscriptions.
    func publishStatus() throws {
        let status = status("online")
        for broker in brokers where broker.isListening { try broker.publish(status) }
    }

    /// Runs one turn, or none if there is nothing to do.
    ///
    /// - Parameter new: the outcomes of work since the last turn.
    /// - Returns: the number of messages handled.
    /// - Throws: also if no broker is connected any more.
    @discardableResult
    package func round(
        at moment: ClockReading, outcomes new: [any WorkOutcome] = []
    ) throws -> Int {
        // Kept here because they have left the workers, even if something fails before a turn
        // handles them.
        note(new, at: moment)
        try noteAbsences(at: moment)
        let isThrottled = isThrottled
        if isThrottled { throttledTurns += 1 }
        let isCareful = isCareful(at: moment.steady)
        engine.batchLimit = isThrottled ? BridgeSettings.throttledBatch : batch.count
        if isCareful { engine.batchLimit = min(engine.batchLimit, TurnLoop.carefulBatch) }
        let messages = takeOverheard(atMost: engine.batchLimit) + receive()
        for broker in brokers { try noteEvents(broker, at: moment) }
        let isRetrying = pace.isDue(.retrying, at: moment.steady)
        for broker in brokers {
            broker.lookAtRights()
            if isRetrying { try broker.publisher.retry() }
            try broker.publishWaiting(at: moment.wall)
        }
        let now = moment.wall
        if clock.look(at: moment) {
            logger.warning("The server's clock was set.")
            listeningSince = now
            rescheduling = true
            clockSetAt = now
            engine.clockWitnesses.forget()
            try lookAtClock(moment)
            try publishStatus()
        }
        var tasks = try tasks(at: moment)
        let isCalm = !isThrottled && isCalm(at: moment.steady)
        if catchUp?.isOver(isQuiet: messages.isEmpty, at: moment.steady) == true { catchUp = nil }
        if !isCalm { tasks.remove(.timers) }
        let isReleasing = engine.nextRelease(at: now).map { $0 <= now } ?? false
        let isIdle =
            messages.isEmpty && tasks.isEmpty && outcomes.isEmpty
            && !(isCalm && (engine.hasArrivals || isReleasing))
        noteSaved(at: moment.steady)
        let saved = savedRows.done
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
            savedRows.forget(done: saved.count)
            for broker in brokers { broker.publisher.forget(saved) }
            if engine.callCount > callsBefore {
                callWatch.begin(
                    publications, in: settings.topics, since: calledAt, at: moment.steady)
            }
            // Before many publications: the broker reads one message per pass.
            try returnBarriers()
            if hasSeveralBrokers, engine.accessChange != accessChange {
                // What is on disk does not wait for the gates.
                for broker in brokers { try broker.flush(atMost: .zero) }
            }
            if engine.accessChange != accessChange { awaitRights(engine.accessChange, at: brokers) }
            try publish(publications)
        }
        // If there was no turn.
        try returnBarriers()
        try publishCorrections()
        if hasSeveralBrokers {
            // One that was stuck before is not waited for.
            let free = brokers.filter { !$0.publisher.isStuck }
            for broker in brokers { try broker.flush(atMost: .zero) }
            for broker in free where broker.publisher.isStuck {
                try broker.flush(atMost: TurnLoop.flushPatience)
            }
        } else {
            for broker in brokers { try broker.flush(atMost: nil) }
        }
        noteLatency(ofFixes: engine.fixCount - fixesBefore, since: moment.steady)
        noteLatency(ofCalls: engine.callCount - callsBefore, since: calledAt)
        batch.note(
            messages.count, messages.reduce(0) { $0 + $1.payload.count },
            in: engine.stopwatch() - moment.steady - (engine.committing - committedBefore))
        if pace.isDue(.maintaining, at: moment.steady) {
            for broker in brokers { broker.maintain() }
            earlyCalls.receive(at: moment.steady)
            disk?.look(logger)
        }
        if pace.isDue(.reporting, at: moment.steady) {
            logWatch.look(at: engine.logBytes, logger)
            directoryWatch.look(at: engine.counters.values, logger)
            try lookAtClock(moment)
            try tellConcerns(at: now)
            try publish(metrics(at: moment.steady))
        }
        if !isConnected, let failure = brokers.lazy.compactMap(\.failure).first { throw failure }
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
    private func isCalm(at now: Duration) -> Bool {
        let unanswered = brokers.lazy.filter { !self.hasSeveralBrokers || $0.isTaking }
            .map(\.unanswered)
        // One that is slow does not keep the others waiting.
        return unanswered.min() ?? 0 < TurnLoop.calm || pace.isDue(.insisting, at: now)
    }

    /// About the number of messages published for one turn's share of timers and arrivals.
    private static let calm = 50

    /// Notes the rows that would survive the end of a broker. Newer ones are published again if the
    /// connection breaks.
    private func noteSaved(at now: Duration) {
        // Twice, since the broker may have begun to save just before; the extra second covers the
        // writing.
        let saving = settings.broker.autosaveInterval * 2 + .seconds(1)
        // If the connection ended, the broker may also have ended before it saved anything.
        for broker in brokers where broker.isConnected {
            let rows = broker.publisher.delivery.takeSaved(at: now, after: saving)
            if !rows.isEmpty { savedRows.note(rows, at: broker.number, now: now) }
        }
        savedRows.giveUp(at: now)
    }

    /// Takes messages from all brokers, and never more than its share from one.
    private func receive() -> [Message] {
        let connected = brokers.filter(\.isConnected)
        return connected.flatMap { broker in
            broker.receive(
                atMost: max(TurnLoop.carefulBatch, engine.batchLimit / connected.count),
                bytes: batch.bytes / connected.count)
        }
    }

    /// Whether too many publications wait. One of several brokers that is slow does not keep the
    /// others waiting: its own limit is ``BridgeSettings/maximumWaiting``.
    private var isThrottled: Bool {
        guard hasSeveralBrokers else {
            return brokers[0].publisher.waitingCount >= BridgeSettings.maximumWaiting
        }
        let least = brokers.lazy.filter(\.isTaking).map(\.publisher.waitingCount).min()
        return least ?? 0 >= BridgeSettings.maximumWaiting / 2
    }

    private static let forgivenEvery = Duration.seconds(600)

    /// Notes which of several brokers are away for longer.
    private func noteAbsences(at moment: ClockReading) throws {
        guard hasSeveralBrokers else { return }
        if hasLostBroker {
            hasLostBroker = false
            catchUp = CatchUp(at: moment.steady, after: catchUp)
            // Those who were connected there may be silent for a while. A broker that is lost again
            // and again does not defer reports for ever.
            if lossesForgiven.map({ moment.steady - $0 >= TurnLoop.forgivenEvery }) ?? true {
                lossesForgiven = moment.steady
                listeningSince = moment.wall
                rescheduling = true
            }
        }
        for broker in brokers where broker.noteAbsence(at: moment.steady) {
            engine.forgetConnections(at: broker.number)
        }
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
        let isCorrecting = brokers.contains { $0.corrections != nil && $0.isTaking }
        let isCatchingUp = hasSeveralBrokers && brokers.contains(where: \.hasToSend)
        if isCorrecting || isCatchingUp || engine.hasArrivals || !overheard.isEmpty {
            return TurnLoop.nap
        }
        if brokers.contains(where: { $0.isConnected && $0.publisher.isHeld }) {
            return TurnLoop.pauseWhileHeld
        }
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
        brokers.reduce(0) { sum, broker in
            sum + broker.publisher.delivery.count + (broker.publisher.isQueueEmpty ? 0 : 1)
                + (broker.corrections == nil ? 0 : 1)
        } + savedRows.count + savedRows.done.count + outcomes.count
            + (engine.hasArrivals ? 1 : 0) + engine.heldBack + (engine.hasPathsToShow ? 1 : 0)
    }

    // MARK: Not connected

    /// To be called when the connection is gone: the fate of messages in flight is unknown, so they
    /// are sent again.
    ///
    /// - Parameters:
    ///   - number: the broker; nil: all of them.
    ///   - isSuspicious: whether the broker may have ended it because of a message.
    package func lose(broker number: Int? = nil, isSuspicious: Bool = false) {
        for broker in brokers where number ?? broker.number == broker.number {
            broker.lose(isSuspicious: isSuspicious)
        }
        hasLostBroker = true
        guard !isConnected else { return }
        listeningSince = nil
        rescheduling = true
        overheard = []
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
