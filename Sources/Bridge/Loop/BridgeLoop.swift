internal import Contract
internal import Logging
internal import MQTT
internal import Store
internal import Tracking

/// Drives the turns: read what is waiting, let the engine decide and commit, publish, release
/// the acknowledgements. Connects again when the connection breaks.
final class BridgeLoop {
    private let engine: Engine
    private let settings: BridgeSettings
    private let logger: Logger
    private let waker: Waker
    private let isStopped: () -> Bool

    private var clock = Clock()
    /// Nil while there is no connection: then nobody's silence means anything.
    private var listeningSince: Timestamp?
    private var outboxRows: [Connection.PublishID: Int64] = [:]
    private var confirmed: [Int64] = []
    private var waiting = WaitingRoom()
    private let passwords: PasswordWorker
    private var passwordOutcomes: [PasswordOutcome] = []
    private var rescheduling = true
    private var pace = Pace()

    init(
        _ engine: Engine, _ settings: BridgeSettings, logger: Logger, waker: Waker,
        isStopped: @escaping () -> Bool
    ) {
        self.engine = engine
        self.settings = settings
        self.logger = logger
        self.waker = waker
        self.isStopped = isStopped
        passwords = PasswordWorker(waker: waker)
    }

    func run() {
        var pause = Backoff()
        while !isStopped() {
            do {
                try runConnected { pause.reset() }
            } catch let error as MQTTError {
                logger.warning("The broker cannot be reached.", metadata: ["reason": "\(error)"])
            } catch {
                // Not acknowledged, so it comes again; memory was read again.
                logger.error("A turn failed.", metadata: ["reason": "\(error)"])
            }
            listeningSince = nil
            rescheduling = true
            outboxRows = [:]
            confirmed = []
            waiting = WaitingRoom()
            idle(for: pause.next())
        }
    }

    // MARK: Connected

    private func runConnected(_ settled: () -> Void) throws {
        let connection = try Connection(options)
        try connection.open()
        try connection.subscribe(to: settings.topics.inputs)
        try connection.release()
        try publish(try engine.corrections(of: try reader.read()), connection)
        try publish(try engine.outgoing(), connection)
        try announce(connection)
        listeningSince = clock.look().now
        logger.info("Connected to the broker.")
        settled()
        while !isStopped() { try round(connection) }
        try publish([status("offline")], connection)
        connection.disconnect()
        try flush(connection)
    }

    /// One turn, or none where nothing waits.
    private func round(_ connection: Connection) throws {
        try connection.wait(atMost: pace.patience(untilTimer: untilTimer), waker: waker)
        let messages = connection.receive(atMost: BridgeSettings.maximumBatch)
        let failure = noteEvents(connection)
        try publishWaiting(connection)
        let (now, jumped) = clock.look()
        if jumped {
            logger.warning("The clock was set.")
            listeningSince = now
            rescheduling = true
        }
        let duties = try duties(at: now)
        passwordOutcomes += passwords.takeOutcomes()
        let isIdle = messages.isEmpty && duties.isEmpty && passwordOutcomes.isEmpty
        if !isIdle || (!confirmed.isEmpty && pace.isTime(.confirming)) {
            let publications = try engine.turn(
                messages, at: now, listeningSince: listeningSince ?? now, duties,
                confirmed: confirmed, passwords: passwordOutcomes)
            passwordOutcomes = []
            passwords.submit(engine.takePasswordWork())
            confirmed.removeAll(keepingCapacity: true)
            try publish(publications, connection)
        }
        try flush(connection)
        if pace.isTime(.maintaining) { connection.maintain() }
        if pace.isTime(.reporting) { try publish(metrics, connection) }
        if let failure { throw failure }
    }

    /// - Returns: why the connection ended, if it did. What was read before is still taken.
    private func noteEvents(_ connection: Connection) -> MQTTError? {
        var failure: MQTTError?
        for event in connection.takeEvents() {
            switch event {
            case .confirmed(let id):
                if let row = outboxRows.removeValue(forKey: id) { confirmed.append(row) }
            case .disconnected(let error): failure = error
            case .connected: break
            case .subscribed(let granted):
                if !granted { logger.error("The broker refused a subscription.") }
            }
        }
        return failure
    }

    private func duties(at now: Timestamp) throws -> Engine.Duties {
        var duties: Engine.Duties = []
        if let due = engine.nextTimer, due <= now { duties.insert(.timers) }
        if try pace.isTime(.lookingForChanges) && engine.noticesForeignChange() {
            duties.insert(.operatorRequests)
        }
        if rescheduling {
            duties.formUnion([.rescheduling, .operatorRequests])
            rescheduling = false
        }
        if pace.isTime(.sweeping) { duties.insert(.sweeping) }
        return duties
    }

    private var untilTimer: Duration? { engine.nextTimer.map { $0 - Clock.wall } }

    // MARK: Not connected

    /// What is due by the clock is decided, and told when there is a connection again.
    private func idle(for pause: Duration) {
        let end = ContinuousClock.now + pause
        while !isStopped(), ContinuousClock.now < end {
            let (now, _) = clock.look()
            do {
                let never = now + .seconds(365 * 86_400)
                var duties = try duties(at: now)
                duties.remove(.sweeping)
                if !duties.isEmpty {
                    _ = try engine.turn([], at: now, listeningSince: never, duties)
                }
            } catch {
                logger.error("A turn failed.", metadata: ["reason": "\(error)"])
            }
            waker.wait(atMost: 200)
        }
        rescheduling = true
    }

    // MARK: Publishing

    private func publish(_ publications: [Publication], _ connection: Connection) throws {
        for publication in publications where !waiting.holdsBack(publication, connection.hasRoom) {
            try hand(publication, to: connection)
        }
    }

    /// What had to wait for room, as far as there is some now.
    private func publishWaiting(_ connection: Connection) throws {
        while connection.hasRoom, let publication = waiting.next() {
            try hand(publication, to: connection)
        }
    }

    private func hand(_ publication: Publication, to connection: Connection) throws {
        let id = try connection.publish(
            topic: publication.topic, payload: publication.payload, qos: publication.qos,
            retain: publication.retain, correlationData: publication.correlationData)
        if let row = publication.outboxRow { outboxRows[id] = row }
    }

    /// Everything is on its way before the next turn begins: what a slow broker does not take
    /// never piles up here.
    private func flush(_ connection: Connection) throws {
        try connection.release()
        while connection.wantsWrite, connection.fileDescriptor >= 0 {
            try connection.wait(atMost: 1000)
            connection.maintain()
            try connection.release()
        }
    }

    private func announce(_ connection: Connection) throws {
        try publish([status("online")], connection)
        try flush(connection)
    }

    private func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            json.string(word)
            json.key("version")
            json.string(kithVersion)
        }
        return Publication(
            topic: settings.topics.string(.systemStatus), payload: payload, qos: .atLeastOnce,
            retain: true)
    }

    private var metrics: [Publication] {
        engine.counters.values.sorted { $0.key < $1.key }.map { name, value in
            Publication(
                topic: settings.topics.string(.metric(name)), payload: Array("\(value)".utf8),
                retain: true)
        }
    }

    // MARK: Options

    private var options: ConnectionOptions {
        var options = reader.options
        options.clientID = settings.broker.clientID
        options.cleanStart = false
        options.sessionExpiry = BridgeLoop.sessionExpiry
        options.receiveMaximum = BridgeLoop.receiveMaximum
        let last = status("offline")
        options.will = .init(topic: last.topic, payload: last.payload)
        return options
    }

    private var reader: RetainedReader {
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port,
            clientID: settings.broker.clientID + ".reader")
        options.username = settings.broker.username
        options.password = settings.broker.password
        options.tls = settings.broker.tls
        return RetainedReader(options: options, topics: settings.topics)
    }

    /// Messages on their way to us at a time: enough for several turns, and few enough that the
    /// broker's confirmations, which come behind them, are not late.
    private static let receiveMaximum = Int32(4 * BridgeSettings.maximumBatch)

    /// Seconds: a week, as long as the broker keeps the sessions of absent clients.
    private static let sessionExpiry: UInt32 = 604_800
}

/// The version of Kith.
public let kithVersion = "0.1.0"
