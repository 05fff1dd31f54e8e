internal import Logging
internal import MQTT
internal import Tracking

/// Sends publications over a link, as far as the broker has room for them, and tracks the delivery
/// of the outbox.
final class Publisher {
    private let engine: Engine
    private let logger: Logger
    var delivery = OutboxDelivery()
    /// The outbox rows that the broker has not confirmed, and since when they wait.
    private var unconfirmed: [Int64: Timestamp] = [:]
    private var waiting: [Lane: PublishQueue] = [:]
    /// The time until which answers go through the outbox, where one that makes the broker end
    /// connections is put aside.
    private var keepsAnswersUntil: Timestamp?
    /// Whether other brokers may accept what this one does not.
    var isForOneOfSeveral = false
    /// Nil if the gate reads the database itself.
    var rightsCheck: RightsCheck?
    /// Whether the socket has not accepted everything.
    var isStuck = false
    /// Whether everything waits: the gate lacks a change of rights, or the socket accepts nothing.
    var isHeld: Bool { isStuck || rightsCheck?.awaited != nil }
    /// The number of messages that the MQTT library did not accept.
    private var impossible: Int64 = 0
    /// The server's time, as passed in last.
    private var now = Timestamp(milliseconds: 0)

    init(_ engine: Engine, _ logger: Logger) {
        self.engine = engine
        self.logger = logger
    }

    /// Sends publications left by earlier connections.
    ///
    /// - Parameter isNeeded: whether this broker does not have an outbox row for certain.
    func begin(
        _ link: any BrokerLink, at now: Timestamp, _ isNeeded: (Int64) -> Bool
    ) throws {
        self.now = now
        try putAside(delivery.condemned)
        let outbox = try engine.outbox()
        let (others, suspects) = delivery.split(
            outbox.publications.filter { $0.outboxRow.map(isNeeded) ?? true },
            putAside: outbox.putAside, byOthers: isForOneOfSeveral)
        for publication in others { try publish(publication, link) }
        delivery.suspects = suspects
    }

    /// To be called when the connection is gone.
    func lose(isSuspicious: Bool) {
        delivery.lose(isSuspicious: isSuspicious)
        (waiting, isStuck) = ([:], false)
        if isSuspicious { keepsAnswersUntil = now + Publisher.suspicion }
    }

    // MARK: Publishing

    /// Whether the answer would be sent without waiting for anything.
    func sendsAtOnce(_ answer: Publication, _ link: any BrokerLink) -> Bool {
        hasRoom(on: answer.lane, link) && waiting[answer.lane]?.isEmpty != false && !keepsAnswers
    }

    func publish(_ publication: Publication, _ link: any BrokerLink) throws {
        var publication = publication
        if let row = publication.outboxRow, unconfirmed[row] == nil { unconfirmed[row] = now }
        if isHeld {
            // What is lost with any connection may be dropped rather than pile up.
            let mayWait = waitingCount < BridgeSettings.maximumWaiting
            guard publication.retain || publication.qos != .atMostOnce || mayWait else { return }
            publication.qos = .atLeastOnce
        }
        let hasRoom = hasRoom(on: publication.lane, link)
        if !waiting[publication.lane, default: PublishQueue()].holdsBack(publication, hasRoom) {
            try hand(publication, to: link)
        }
    }

    /// Sends publications that had to wait for room, or for a suspect, as far as there is room now.
    func publishWaiting(_ link: any BrokerLink, at now: Timestamp) throws {
        self.now = now
        if !isHeld, let suspect = delivery.nextSuspect() { try hand(suspect, to: link) }
        for lane in Lane.allCases {
            while hasRoom(on: lane, link), let publication = waiting[lane]?.next() {
                try hand(publication, to: link)
            }
        }
    }

    private var keepsAnswers: Bool { keepsAnswersUntil.map { now < $0 } ?? false }

    /// The time after the broker ended a connection during which an answer may be suspected of
    /// having caused that.
    private static let suspicion = Duration.seconds(60)

    /// Whether a message waits that could be sent now.
    func hasToSend(_ link: any BrokerLink) -> Bool {
        Lane.allCases.contains { waiting[$0]?.isEmpty == false && hasRoom(on: $0, link) }
    }

    func dropWaiting() { waiting = [:] }

    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    var isQueueEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

    /// Returns whether another QoS 1 message may be sent now: none from the outbox while a suspect
    /// is tried.
    private func hasRoom(on lane: Lane, _ link: any BrokerLink) -> Bool {
        !isHeld && link.hasRoom(on: lane) && !(lane == .prompt && delivery.isExclusive)
    }

    private func hand(_ publication: Publication, to link: any BrokerLink) throws {
        do throws(MQTTError) {
            let id = try link.send(publication)
            if let row = publication.outboxRow { delivery.note(id, of: row) }
        } catch {
            guard error.isAboutMessage else { throw error }
            impossible += 1
            if let row = publication.outboxRow { try putAside([row]) }
        }
    }

    /// Records that the broker has the message.
    ///
    /// - Returns: its outbox row, if it has one.
    func confirm(_ id: Connection.PublishID, at steady: Duration) -> Int64? {
        let row = delivery.confirm(id, at: steady)
        if let row { unconfirmed[row] = nil }
        return row
    }

    /// Forgets rows that were deleted.
    func forget(_ rows: some Sequence<Int64>) { for row in rows { unconfirmed[row] = nil } }

    // MARK: Rejections by the broker

    /// Handles the broker's rejection of a message.
    func noteRefused(_ id: Connection.PublishID, at now: Timestamp) throws {
        self.now = now
        if let row = delivery.refuse(id) { try putAside([row]) }
    }

    /// Retries one of the rows that were put aside.
    func retry() throws {
        guard !delivery.putAside.isEmpty else { return }
        delivery.retry(try engine.outbox().publications)
    }

    /// Puts rows aside that the broker does not accept, so that everything behind them can proceed.
    private func putAside(_ rows: [Int64]) throws {
        try engine.putAside(rows, at: now)
        delivery.notePutAside(rows)
        for row in rows { unconfirmed[row] = nil }
        for row in rows {
            logger.error(
                "The broker does not accept a message, which is put aside.",
                metadata: ["row": "\(row)"])
        }
    }

    /// The values by metric name.
    var metrics: [String: Int64] {
        [
            "publications-waiting": Int64(waitingCount), "publications-impossible": impossible,
            "outbox-unconfirmed": Int64(delivery.count),
            "outbox-put-aside": Int64(delivery.putAside.count),
            "outbox-oldest-seconds": unconfirmed.values.min().map {
                max(0, (now - $0).milliseconds / 1000)
            } ?? 0,
        ]
    }
}
