internal import Clocks
internal import Contract
internal import Limits
internal import Logging
internal import MQTT
internal import Store
internal import Tracking

/// Drives the turns over the bridge's own connections, and reconnects when one breaks.
final class BridgeLoop {
    let turnLoop: TurnLoop
    let settings: BridgeSettings
    let files: DatabaseFiles
    let logger: Logger
    let waker: Waker
    let isStopped: () -> Bool
    /// Called in each round, whatever the loop is doing, with whether the broker permits everything
    /// that the bridge has to do.
    var onRound: (Bool) -> Void = { _ in }
    /// Called in place of it in the middle of a turn that takes long.
    var onWait: (Bool) -> Void = { _ in }
    private var isServing = false
    private var side: SideConnection?
    private var sideOpenedAt: ContinuousClock.Instant?
    private let outcomes: Outcomes
    private let workers: [Worker]
    private var operatorWatch: OperatorWatch

    /// The reason why the broker could not be reached last time.
    var lastComplaint: String?
    var trouble: StorageFailure?
    /// Whether the database cannot be used at the moment.
    var isRecovering = false
    var lastRecovery: ContinuousClock.Instant?
    /// The time when messages were last received.
    private var takenAt = ContinuousClock.now
    var recoveryPause = Backoff(from: .milliseconds(200), to: .seconds(10))

    init(
        _ engine: Engine, _ files: DatabaseFiles, _ settings: BridgeSettings, logger: Logger,
        waker: Waker, isStopped: @escaping () -> Bool
    ) {
        turnLoop = TurnLoop(engine, settings, logger: logger)
        self.files = files
        self.settings = settings
        self.logger = logger
        self.waker = waker
        self.isStopped = isStopped
        let outcomes = Outcomes(waker: waker)
        self.outcomes = outcomes
        let database = DatabaseAddress(files.path, server: settings.databaseServer)
        workers = Areas.types.flatMap { $0.workers(settings, database: database, outcomes) }
        operatorWatch = OperatorWatch(OperatorNotifier(settings, logger: logger))
    }

    /// - Throws: if only a restart helps.
    func run() throws(BridgeError) {
        turnLoop.engine.whileWaiting { [unowned self] in
            onWait(isServing)
            turnLoop.announceEarly(at: .now)
        }
        defer { turnLoop.engine.whileWaiting(nil) }
        // No other client is admitted before the bridge has connected.
        var pause = Backoff(from: .milliseconds(200), to: .seconds(2))
        while goesOn() {
            do {
                try runConnected {
                    logger.info("Connected to the broker.")
                    isServing = true
                    pause.reset()
                    lastComplaint = nil
                }
            } catch let error as StoreError {
                // The messages were not acknowledged, so they are redelivered; memory is read
                // again.
                isServing = false
                turnLoop.lose()
                try recover(from: error)
            } catch let error as MQTTError {
                note(error)
                turnLoop.lose(isSuspicious: true)
            } catch {
                logger.error("A turn failed.", metadata: ["reason": "\(error)"])
            }
            isServing = false
            turnLoop.lose()
            try idle(for: pause.next())
        }
    }

    /// Whether there is another round.
    func goesOn() -> Bool {
        onRound(isServing)
        turnLoop.isOperatorUnreachable = operatorWatch.isUnreachable
        operatorWatch.look(
            turnLoop.concerns.list, trouble: unavailability, { figures },
            at: ClockReading.now.steady)
        return !isStopped()
    }

    /// The figures for the operator's daily message.
    private var figures: DailyFigures {
        DailyFigures(
            fixes: turnLoop.engine.fixCount, calls: turnLoop.engine.callCount,
            lastBackup: turnLoop.lastBackup?.time, free: Disk(files.directory)?.free)
    }

    /// The reason why people are not served, or only in part.
    private var unavailability: Concern? {
        // On a full disk it alternates as other programs use and free space.
        if turnLoop.sparingSince != nil || isRecovering && trouble == .diskFull {
            return .callsOnly
        }
        if isRecovering { return .cannotStore }
        if isServing { return nil }
        let isRelapse = lastRecovery.map { ContinuousClock.now - $0 < BridgeLoop.relapse } ?? false
        return isRelapse ? .cannotStore : .brokerUnreachable
    }

    /// - Parameter settled: called once the broker permits everything that the bridge has to do.
    private func runConnected(_ settled: () -> Void) throws {
        // The broker ends the connections of another bridge when this one connects.
        if settings.databaseServer != nil { try turnLoop.engine.checkDeciding() }
        let isSparing = turnLoop.chooseSparing(at: .now)
        let (bulk, streams) =
            try isSparing ? connectForCalls() : connect(options, to: .stream)
        let (vitals, samples) = try connect(lasting(options(of: "vitals")), to: .vitals)
        let (prompt, requests) = try connect(lasting(options(of: "requests")), to: .requests)
        let lanes = LaneConnections(prompt: prompt, vitals: vitals, bulk: bulk)
        try openSide()
        try turnLoop.begin(
            lanes, at: .now,
            awaiting: lanes.subscriptions(prompt: requests, vitals: samples, bulk: streams))
        let reading = RetainedReading(reader, waker: waker)
        var hasRead = false
        var isSettled = false
        while goesOn() {
            if let retained = try reading.take() {
                try turnLoop.correct(retained)
                hasRead = true
            }
            if hasRead, turnLoop.isListening, !isSettled {
                isSettled = true
                // Version 0.1.0 subscribed to them with the requests, and its session persists.
                try prompt.unsubscribe(from: settings.topics.inputs(of: .vitals))
                settled()
            }
            if turnLoop.disk?.isSparing ?? false != isSparing { break }
            if turnLoop.earlyCalls.isLost {
                try openSide()
                try turnLoop.awaitRights()
            }
            try correctStatus(lanes)
            try wait(for: [prompt, vitals], bulk, isGathering: !isSparing)
            defer { for worker in workers { worker.serve(turnLoop.engine) } }
            try files.checkIdentity()
            let start = ContinuousClock.now
            if turnLoop.engine.mayHaveLost { try turnLoop.engine.checkDeciding() }
            let taken = try turnLoop.round(lanes, at: .now, outcomes: outcomes.take())
            if taken > 0 { takenAt = start }
        }
        try turnLoop.end(lanes)
    }

    /// Opens the connection besides those of the bridge's work, at most once per while. On a server
    /// the bridge does not work without it.
    private func openSide() throws {
        let isNeeded = settings.databaseServer != nil
        guard isNeeded || sideOpenedAt.map({ $0 + BridgeLoop.sidePause < .now }) ?? true else {
            return
        }
        sideOpenedAt = .now
        do throws(MQTTError) {
            let side = try SideConnection(options(of: "early"), settings.topics)
            turnLoop.earlyCalls.begin(side)
            guard isNeeded else { return }
            let newest = max(turnLoop.rightsCheck?.awaited ?? 0, turnLoop.engine.accessChange)
            turnLoop.rightsCheck = RightsCheck(settings.topics, side, from: newest)
            self.side = side
        } catch {
            turnLoop.earlyCalls.begin(nil)
            if isNeeded { throw error }
        }
    }

    private static let sidePause = Duration.seconds(10)

    /// Repeats the status if a bridge that does not decide any more has published another.
    private func correctStatus(_ lanes: LaneConnections<Connection>) throws {
        guard isServing, let seen = side?.takeStatus() else { return }
        try turnLoop.repeatStatus(unless: seen, lanes)
    }

    private func connect(
        _ options: ConnectionOptions, to lane: TopicRow.Lane
    ) throws -> (Connection, [Connection.SubscriptionID]) {
        let connection = try Connection(options)
        try connection.open()
        let identifiers = try connection.subscribe(to: settings.topics.inputs(of: lane))
        // An earlier version's gate refuses it, and waits for no barriers.
        try connection.subscribe(to: [settings.topics.barrier(lane)])
        try connection.release()
        return (connection, identifiers)
    }

    /// Waits until there is something to do. Fixes wait a moment for others, since a commit writes
    /// hardly more to the disk for many of them than for one; requests and vital signs do not.
    private func wait(for prompt: [Connection], _ bulk: Connection, isGathering: Bool) throws {
        let all = prompt + [bulk]
        let ready = try Connection.wait(
            for: all, atMost: turnLoop.patience(at: .now), waker: waker)
        let rest = takenAt + settings.disk.gatherFor - .now
        guard isGathering, ready == [prompt.count], rest > .zero else { return }
        let patience = min(Int32(clamping: rest.milliseconds + 1), turnLoop.patience(at: .now))
        try bulk.awaiting(BridgeLoop.worthTaking) { () throws(MQTTError) in
            _ = try Connection.wait(for: all, atMost: patience, waker: waker)
        }
    }

    /// The number of bytes that are handled without further waiting: about 30 fixes.
    private static let worthTaking: Int32 = 8192

    private func idle(for pause: Duration) throws(BridgeError) {
        let end = ContinuousClock.now + pause
        while goesOn(), ContinuousClock.now < end {
            do {
                // The gate may have noticed first that the database is gone, and admitted no one
                // since.
                try files.checkIdentity()
                if turnLoop.engine.mayHaveLost { try turnLoop.engine.checkDeciding() }
                defer { for worker in workers { worker.serve(turnLoop.engine) } }
                try turnLoop.idle(at: .now, outcomes: outcomes.take())
            } catch let error as StoreError {
                return try recover(from: error)
            } catch {
                logger.error("A turn failed.", metadata: ["reason": "\(error)"])
            }
            waker.wait(atMost: 200)
        }
    }

    // MARK: Options

    private var options: ConnectionOptions {
        var options = streamOptions
        setWill(of: &options)
        return options
    }

    /// The session in which the broker keeps fixes and similar messages.
    var streamOptions: ConnectionOptions {
        var options = lasting(reader.options)
        options.clientID = settings.broker.clientID
        return options
    }

    var callsOptions: ConnectionOptions {
        var options = options(of: "calls")
        options.isBatched = true
        setWill(of: &options)
        return options
    }

    private func setWill(of options: inout ConnectionOptions) {
        let last = turnLoop.status("offline")
        options.will = .init(topic: last.topic, payload: last.payload)
    }

    /// Adds a session in which the broker keeps messages while the bridge is away.
    private func lasting(_ options: ConnectionOptions) -> ConnectionOptions {
        var options = options
        options.cleanStart = false
        options.sessionExpiry = BridgeLoop.sessionExpiry
        options.receiveMaximum = BridgeLoop.receiveMaximum
        options.isBatched = true
        return options
    }

    private var reader: RetainedReader {
        RetainedReader(options: options(of: "reader"), topics: settings.topics)
    }

    /// The options of the connection that reports the bridge's health while the bridge itself
    /// cannot work.
    var statusConnection: ConnectionOptions {
        var options = options(of: "status")
        setWill(of: &options)
        return options
    }

    /// Returns the options for a connection besides the bridge's main one.
    private func options(of purpose: String) -> ConnectionOptions {
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port,
            clientID: "\(settings.broker.clientID).\(purpose)")
        options.packetMaximum = BridgePacketMaximum.announced(by: options.clientID)
        options.username = settings.broker.username
        options.password = settings.broker.password
        options.tls = settings.broker.tls
        return options
    }

    /// The number of messages that may be in flight to us: enough for several turns, and few enough
    /// that the broker's confirmations, which queue behind them, are not late.
    private static let receiveMaximum = Int32(4 * BridgeSettings.maximumBatch)

    /// In seconds: a week, as long as the broker keeps the sessions of absent clients.
    private static let sessionExpiry: UInt32 = 604_800
}
