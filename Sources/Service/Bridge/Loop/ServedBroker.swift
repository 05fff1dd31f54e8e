internal import Clocks
internal import Contract
internal import Logging
internal import MQTT
internal import Tracking

/// One of the bridge's brokers: what is on its way there, and what it has yet to answer.
final class ServedBroker {
    let number: Int
    let publisher: Publisher
    /// Nil while it is not connected.
    private(set) var link: (any BrokerLink)?
    /// Why the connection ended, if it did.
    private(set) var failure: MQTTError?
    /// The subscriptions that the broker has yet to grant.
    private var subscriptions: AwaitedSubscriptions?
    /// The remaining comparison with the broker's retained messages.
    var corrections: Corrections?
    /// The gate's newest barrier on each lane that is not returned yet.
    private var barriers: [TopicRow.Lane: Message] = [:]
    private let topics: TopicSpace
    private let barrierTopics: BarrierTopics
    /// When the connection was lost, or when the bridge began; nil while there is one.
    private var lostAt: Duration?
    /// Whether its devices are not considered connected any more.
    private(set) var isForgotten = false
    private let isOneOfSeveral: Bool
    /// How many publications may wait: beyond what earlier connections left.
    private var mostWaiting = BridgeSettings.maximumWaiting
    /// Whether publications are dropped, since too many would wait until it takes them: the next
    /// connection restores everything.
    private var isDropping = false
    /// Whether it takes publications again, over the next connection.
    private(set) var isRestarting = false

    init(
        _ number: Int, of count: Int, _ engine: Engine, _ topics: TopicSpace, _ logger: Logger
    ) {
        self.number = number
        isOneOfSeveral = count > 1
        self.topics = topics
        publisher = Publisher(engine, logger)
        barrierTopics = BarrierTopics(topics)
    }

    /// Whether it can be used.
    var isConnected: Bool { link != nil && failure == nil && !isRestarting }
    /// Whether it has granted all subscriptions.
    var isListening: Bool { isConnected && subscriptions?.isEmpty == true }
    /// Whether it accepts what is published at the moment.
    var isTaking: Bool { isConnected && !publisher.isHeld && !isDropping }
    var unanswered: Int { isTaking ? link?.unanswered ?? 0 : 0 }

    // MARK: The connection

    func begin(_ link: any BrokerLink, awaiting subscriptions: AwaitedSubscriptions) {
        (self.link, self.subscriptions) = (link, subscriptions)
        (failure, lostAt, isForgotten) = (nil, nil, false)
        (isDropping, isRestarting) = (false, false)
        (corrections, barriers) = (nil, [:])
    }

    /// The fate of messages in flight is unknown, so they are sent again.
    func lose(isSuspicious: Bool) {
        (link, subscriptions, failure, isRestarting) = (nil, nil, nil, false)
        (corrections, barriers) = (nil, [:])
        publisher.lose(isSuspicious: isSuspicious)
    }

    /// - Parameter now: by the steady clock.
    /// - Returns: whether its devices are from now on not considered connected.
    func noteAbsence(at now: Duration) -> Bool {
        guard link == nil, !isForgotten else { return false }
        let since = lostAt ?? now
        lostAt = since
        isForgotten = now - since >= BridgeSettings.movingFor
        return isForgotten
    }

    /// Asks the gate whether it has the change of rights of this number, and those before.
    func askForRights(_ number: Int64) {
        publisher.rightsCheck?.await(number)
        checking { rights throws(MQTTError) in try rights.ask() }
    }

    /// Whether its gate has been asked, and may answer soon.
    var isAskedForRights: Bool {
        isConnected && publisher.rightsCheck.map { $0.awaited != nil && !$0.isSlow } ?? false
    }

    /// Takes the gate's answer.
    func lookAtRights() {
        checking { rights throws(MQTTError) in try rights.look() }
        if isDropping, !publisher.isHeld, link != nil { isRestarting = true }
    }

    private func checking(_ body: (RightsCheck) throws(MQTTError) -> Void) {
        guard let rights = publisher.rightsCheck, failure == nil else { return }
        do throws(MQTTError) {
            try body(rights)
        } catch {
            // While the database fails there is only the connection besides.
            if link != nil { failure = error }
        }
    }

    /// Uses the link, unless it has failed before.
    private func using<Value>(_ body: (any BrokerLink) throws -> Value) throws -> Value? {
        guard let link, isConnected else { return nil }
        do {
            return try body(link)
        } catch let error as MQTTError {
            failure = error
            return nil
        }
    }

    // MARK: Messages

    /// Takes waiting messages without the barriers.
    func receive(atMost limit: Int, bytes: Int) -> [Message] {
        guard let link, isConnected else { return [] }
        var messages: [Message] = []
        for var message in link.receive(atMost: limit, bytes: bytes) {
            guard let lane = barrierTopics.lane(of: message.topic) else {
                message.broker = number
                messages.append(message)
                continue
            }
            // An empty one only ends the wait for more fixes.
            if !message.payload.isEmpty { barriers[lane] = message }
        }
        return messages
    }

    /// Returns the barriers, now that everything received before them is on disk.
    func returnBarriers() throws {
        guard !barriers.isEmpty else { return }
        defer { barriers = [:] }
        for lane in TopicRow.Lane.allCases {
            guard let barrier = barriers[lane] else { continue }
            let answer = Publication(
                topic: topics.committed(lane), payload: barrier.payload, lane: .prompt)
            _ = try using { try $0.send(answer) }
        }
    }

    func forgetBarriers() { barriers = [:] }

    // MARK: Publications

    /// Sends what earlier connections left, apart from what the broker has saved.
    func resume(at now: Timestamp, _ saved: SavedRows) throws {
        publisher.isForOneOfSeveral = isOneOfSeveral
        _ = try using { link in
            try publisher.begin(link, at: now) { !saved.has($0, at: number) }
        }
        mostWaiting = publisher.waitingCount + BridgeSettings.maximumWaiting
    }

    /// Whether the answer would be sent without waiting.
    func sendsAtOnce(_ answer: Publication) -> Bool {
        guard let link, isConnected else { return true }
        return !isDropping && publisher.sendsAtOnce(answer, link)
    }

    func publish(_ publication: Publication) throws {
        guard !isDropping else { return }
        _ = try using { try publisher.publish(publication, $0) }
        guard isOneOfSeveral, publisher.waitingCount > mostWaiting else { return }
        publisher.dropWaiting()
        if publisher.isHeld { isDropping = true } else { isRestarting = true }
    }

    func publishWaiting(at now: Timestamp) throws {
        _ = try using { try publisher.publishWaiting($0, at: now) }
    }

    /// - Parameter patience: how long to wait for the socket to accept everything.
    func flush(atMost patience: Duration?) throws {
        _ = try using { publisher.isStuck = try !$0.flush(atMost: patience) }
    }

    /// Whether the publication is for this broker.
    func isMeant(by publication: Publication) -> Bool {
        publication.broker ?? number == number
    }

    /// Whether publications wait that could be sent now.
    var hasToSend: Bool { isTaking && link.map { publisher.hasToSend($0) } ?? false }

    func pause(for duration: Duration) { if isConnected { link?.pause(for: duration) } }

    func maintain() { if isConnected { link?.maintain() } }

    func disconnect() { if isConnected { link?.disconnect() } }

    // MARK: Answers

    /// Handles the broker's events about the connection, subscriptions and publications.
    ///
    /// - Returns: the confirmed outbox rows, and whether the last subscription was granted.
    func noteEvents(at moment: ClockReading) throws
        -> (confirmed: [Int64], isGranted: Bool)
    {
        guard let link, isConnected else { return ([], false) }
        var (confirmed, isGranted) = ([Int64](), false)
        for event in link.takeEvents() {
            switch event {
            case .confirmed(let id):
                if let row = publisher.confirm(id, at: moment.steady) { confirmed.append(row) }
            case .refused(let id): try publisher.noteRefused(id, at: moment.wall)
            case .disconnected(let error): failure = error
            case .connected: break
            case .subscribed(let id, granted: false):
                guard subscriptions?.isNecessary(id) ?? true else { break }
                // Messages published there would be lost; the next connection subscribes again.
                failure = .refusedSubscription
            case .subscribed(let id, granted: true):
                if subscriptions?.note(id) == true { isGranted = true }
            }
        }
        if subscriptions?.isOverdue(at: moment.steady) == true { failure = failure ?? .silence }
        return (confirmed, isGranted)
    }
}
