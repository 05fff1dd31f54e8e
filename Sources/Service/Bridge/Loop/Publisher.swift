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
    /// Nil if the gate reads the database itself.
    var rightsCheck: RightsCheck?
    /// Whether everything waits, since the gate lacks a change of rights.
    var isHeld: Bool { rightsCheck?.awaited != nil }
    /// The number of messages that the MQTT library did not accept.
    private var impossible: Int64 = 0
    /// The server's time, as passed in last.
    private var now = Timestamp(milliseconds: 0)

    init(_ engine: Engine, _ logger: Logger) {
        self.engine = engine
        self.logger = logger
    }

    /// Sends publications left by earlier connections.
    func begin(_ link: some BrokerLink, at now: Timestamp) throws {
        self.now = now
        try putAside(delivery.condemned)
        let outbox = try engine.outbox()
        let (others, suspects) = delivery.split(outbox.publications, putAside: outbox.putAside)
        try publish(others, link)
        delivery.suspects = suspects
    }

    /// To be called when the connection is gone.
    func lose(isSuspicious: Bool) {
        delivery.lose(isSuspicious: isSuspicious)
        waiting = [:]
        if isSuspicious { keepsAnswersUntil = now + Publisher.suspicion }
    }

    // MARK: Publishing

    func publish(_ publications: [Publication], _ link: some BrokerLink) throws {
        var publications = publications
        for index in publications.indices {
            if let row = publications[index].outboxRow, unconfirmed[row] == nil {
                unconfirmed[row] = now
            }
            let lane = publications[index].lane
            if isHeld {
                // What is lost with any connection may be dropped rather than pile up.
                let mayWait = waitingCount < BridgeSettings.maximumWaiting
                guard
                    publications[index].retain || publications[index].qos != .atMostOnce || mayWait
                else { continue }
                publications[index].qos = .atLeastOnce
            }
            let hasRoom = hasRoom(on: lane, link)
            if publications[index].isDirectAnswer,
                !hasRoom || waiting[lane]?.isEmpty == false || keepsAnswers
            {
                // The request's acknowledgement will not wait for the answer to be sent.
                try engine.keepAnswers(in: &publications[index...])
            }
            let publication = publications[index]
            if !waiting[lane, default: PublishQueue()].holdsBack(publication, hasRoom) {
                try hand(publication, to: link)
            }
        }
    }

    /// Sends publications that had to wait for room, or for a suspect, as far as there is room now.
    func publishWaiting(_ link: some BrokerLink, at now: Timestamp) throws {
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

    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    var isQueueEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

    /// Returns whether another QoS 1 message may be sent now: none from the outbox while a suspect
    /// is tried.
    private func hasRoom(on lane: Lane, _ link: some BrokerLink) -> Bool {
        !isHeld && link.hasRoom(on: lane) && !(lane == .prompt && delivery.isExclusive)
    }

    private func hand(_ publication: Publication, to link: some BrokerLink) throws {
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
