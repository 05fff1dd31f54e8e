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
    private var isServing: Bool { connections.contains(where: \.isSettled) }
    private let connections: [BrokerConnection]
    var plans: [ConnectionPlan] { connections.map(plan) }
    /// Whether the connections leave fixes and similar messages waiting at the broker.
    private var isSparing = false
    private let outcomes: Outcomes
    private let workers: [Worker]
    private var operatorWatch: OperatorWatch

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
        let addresses = settings.broker.addresses
        connections = addresses.indices.map {
            BrokerConnection($0, addresses[$0], isOneOfSeveral: addresses.count > 1)
        }
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
        while goesOn() {
            do {
                try look()
            } catch let error as StoreError {
                // The messages were not acknowledged, so they are redelivered; memory is read
                // again.
                loseAll()
                try recover(from: error)
                loseAll()
            } catch {
                logger.error("A turn failed.", metadata: ["reason": "\(error)"])
                loseAll()
            }
        }
        end()
    }

    private func end() {
        do {
            try turnLoop.end()
        } catch {
            // The brokers publish the wills instead.
        }
        loseAll()
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

    // MARK: The brokers

    private var isOnServer: Bool { settings.databaseServer != nil }

    /// Makes a round with the brokers that are connected, and connects to others.
    private func look() throws {
        try advance()
        // The gate may have noticed first that the database is gone, and admitted no one since.
        if turnLoop.isConnected { try wait() } else { waker.wait(atMost: 200) }
        defer { for worker in workers { worker.serve(turnLoop.engine) } }
        try files.checkIdentity()
        let start = ContinuousClock.now
        if turnLoop.engine.mayHaveLost { try turnLoop.engine.checkDeciding() }
        guard turnLoop.isConnected else {
            if connections.contains(where: \.isAboutToOpen) { return }
            return try turnLoop.idle(at: .now, outcomes: outcomes.take())
        }
        do {
            let taken = try turnLoop.round(at: .now, outcomes: outcomes.take())
            if taken > 0 { takenAt = start }
        } catch is MQTTError {
            // No broker is left; ``advance()`` sees why.
        }
    }

    /// Begins to connect to the brokers that are not connected, and uses new connections.
    private func advance() throws {
        if turnLoop.disk?.isSparing ?? false != isSparing, turnLoop.isConnected { end() }
        if !turnLoop.isConnected { isSparing = turnLoop.chooseSparing(at: .now) }
        for connection in connections {
            do {
                if let error = turnLoop.brokers[connection.number].failure { throw error }
                if turnLoop.brokers[connection.number].isRestarting { restart(connection) }
                try advance(connection)
            } catch let error as MQTTError {
                lose(connection, error)
            }
        }
    }

    private func advance(_ connection: BrokerConnection) throws {
        switch connection.state {
        case .waiting:
            guard connection.isDue else { return }
            // The broker ends the connections of another bridge when this one connects.
            if isOnServer { try turnLoop.engine.checkDeciding() }
            let (plan, isSparing) = (plan(connection), isSparing)
            connection.state = .connecting(
                Background(named: "connecting", waker) { isCancelled throws(MQTTError) in
                    try plan.open(isSparing: isSparing, isCancelled)
                }, since: .now, isSparing: isSparing)
        case .connecting(let connecting, _, let wasSparing):
            guard let opened = try connecting.take() else { return }
            guard wasSparing == isSparing else { return connection.wait() }
            if isOnServer { try turnLoop.engine.checkDeciding() }
            try begin(opened, connection)
        case .connected(let opened, let reading):
            try use(opened, reading, connection)
        }
    }

    private func begin(_ opened: ConnectionPlan.Opened, _ connection: BrokerConnection) throws {
        let number = connection.number
        turnLoop.overheard += opened.overheard
        turnLoop.earlyCalls.begin(opened.side, at: number)
        if isOnServer, let side = opened.side {
            let publisher = turnLoop.brokers[number].publisher
            let awaited = publisher.rightsCheck?.awaited ?? 0
            publisher.rightsCheck = RightsCheck(
                settings.topics, side, awaiting: max(awaited, turnLoop.engine.accessChange))
        }
        connection.side = (nil, .now)
        let reader = plan(connection).reader
        connection.state = .connected(
            opened,
            Background(named: "retained", waker) { _ throws(MQTTError) in
                try reader.read()
            })
        try turnLoop.begin(
            opened.lanes, at: .now, awaiting: opened.awaited, broker: number)
    }

    private func use(
        _ opened: ConnectionPlan.Opened, _ reading: Background<[String: [UInt8]]>,
        _ connection: BrokerConnection
    ) throws {
        let number = connection.number
        if turnLoop.earlyCalls.isLost(at: number) {
            if isOnServer { throw MQTTError.silence }
            openSide(connection)
        }
        if let retained = try reading.take() {
            try turnLoop.correct(retained, broker: number)
            connection.hasRead = true
        }
        if connection.hasRead, !connection.isSettled, turnLoop.brokers[number].isListening {
            connection.isSettled = true
            // Version 0.1.0 subscribed to them with the requests, and its session persists.
            try opened.prompt.unsubscribe(from: settings.topics.inputs(of: .vitals))
            logger.info("Connected to the broker.", metadata: connection.metadata)
            connection.pause.reset()
            connection.lastComplaint = nil
        }
        // A bridge that does not decide any more may have published another.
        if isOnServer, connection.isSettled, let seen = opened.side?.takeStatus() {
            try turnLoop.repeatStatus(unless: seen, broker: number)
        }
    }

    /// Opens the connection besides again, without which only early alerts are missing.
    private func openSide(_ connection: BrokerConnection) {
        do throws(MQTTError) {
            if let side = try connection.side.opening?.take() {
                turnLoop.earlyCalls.begin(side, at: connection.number)
                connection.side = (nil, .now)
            }
        } catch {
            connection.side = (nil, .now)
        }
        guard connection.side.opening == nil,
            ContinuousClock.now - connection.side.since >= BridgeLoop.sidePause
        else { return }
        let plan = plan(connection)
        connection.side = (
            Background(named: "early", waker) { _ throws(MQTTError) in try plan.openSideAgain() },
            .now
        )
    }

    private static let sidePause = Duration.seconds(10)

    private func lose(_ connection: BrokerConnection, _ error: MQTTError) {
        note(error, connection)
        // Another attempt that fails changes nothing.
        if turnLoop.brokers[connection.number].link != nil {
            turnLoop.lose(broker: connection.number, isSuspicious: true)
        }
        connection.wait()
    }

    /// Connects again to a broker that takes publications again.
    private func restart(_ connection: BrokerConnection) {
        logger.info("The broker receives everything again.", metadata: connection.metadata)
        turnLoop.lose(broker: connection.number)
        connection.wait()
    }

    private func loseAll() {
        turnLoop.lose()
        for connection in connections { connection.wait() }
    }

    private func plan(_ connection: BrokerConnection) -> ConnectionPlan {
        ConnectionPlan(settings, connection.address, last: turnLoop.status("offline"))
    }

    /// Waits until there is something to do. Fixes wait a moment for others, since a commit writes
    /// hardly more to the disk for many of them than for one; requests and vital signs do not.
    private func wait() throws(MQTTError) {
        let opened = connections.compactMap(\.opened)
        let bulk = opened.map(\.bulk)
        let all = bulk + opened.flatMap { [$0.prompt, $0.vitals] }
        let ready = try Connection.wait(
            for: all, atMost: turnLoop.patience(at: .now), waker: waker)
        let rest = takenAt + settings.disk.gatherFor - .now
        guard !isSparing, !ready.isEmpty, ready.allSatisfy({ $0 < bulk.count }), rest > .zero
        else { return }
        let patience = min(Int32(clamping: rest.milliseconds + 1), turnLoop.patience(at: .now))
        try Connection.awaiting(BridgeLoop.worthTaking, on: bulk) { () throws(MQTTError) in
            _ = try Connection.wait(for: all, atMost: patience, waker: waker)
        }
    }

    /// The number of bytes that are handled without further waiting: about 30 fixes.
    private static let worthTaking: Int32 = 8192
}
