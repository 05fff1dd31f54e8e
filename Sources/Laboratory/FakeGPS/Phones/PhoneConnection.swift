internal import DequeModule
internal import Limits
internal import MQTT
internal import Tracking

/// A phone's connection to the broker, re-established whenever it breaks.
///
/// Each attempt uses a new connection: libmosquitto would resend the unconfirmed messages of the
/// previous one, ahead of those that the phone still keeps and in another order.
final class PhoneConnection {
    /// The content of a sent message.
    enum Content {
        case fixes(ClosedRange<Int64>)
        case other
    }

    enum News {
        case online
        case offline(MQTTError)
        /// The broker has acknowledged the message.
        case delivered(Content)
        /// The broker has refused the message.
        case refused(Content)
        case message(Message)
    }

    /// The most unacknowledged messages of ours at a time.
    private static let window = 100
    private static let batch = 1000

    private var backoff = Backoff(from: .milliseconds(250), to: .seconds(30))
    private var random: SplitMix64
    private var connection: Connection?
    private var underway: Deque<(id: Connection.PublishID, content: Content)> = []
    private var failure: MQTTError?
    private(set) var isOnline = false
    /// When to connect; nil once connecting has begun.
    private(set) var connectsAt: Duration?

    /// - Parameter start: when to connect for the first time.
    init(from start: Duration, seed: UInt64) {
        connectsAt = start
        random = SplitMix64(seed: seed)
    }

    var fileDescriptor: Int32 { connection?.fileDescriptor ?? -1 }
    var wantsWrite: Bool { connection?.wantsWrite ?? false }
    var hasRoom: Bool { underway.count < PhoneConnection.window }
    var isIdle: Bool { underway.isEmpty }
    /// Whether the next news will include the end of the connection.
    var hasFailed: Bool { failure != nil }

    private func answered(_ id: Connection.PublishID) -> Content? {
        underway.firstIndex { $0.id == id }.map { underway.remove(at: $0).content }
    }

    /// Begins to connect; the outcome is reported as news.
    func connect(with options: ConnectionOptions) {
        connectsAt = nil
        underway.removeAll()
        do throws(MQTTError) {
            let connection = try Connection(options)
            self.connection = connection
            try connection.connect()
        } catch {
            failure = error
        }
    }

    func subscribe(to filters: [String]) {
        attempt { connection throws(MQTTError) in try connection.subscribe(to: filters) }
    }

    /// Publishes with QoS 1; the message is sent with the next ``flush()``.
    func publish(_ content: Content, topic: String, payload: [UInt8], retain: Bool = false) {
        attempt { connection throws(MQTTError) in
            let id = try connection.publish(
                topic: topic, payload: payload, qos: .atLeastOnce, retain: retain)
            underway.append((id, content))
        }
    }

    func flush() {
        attempt { connection throws(MQTTError) in try connection.release() }
    }

    /// To be called once per second.
    func maintain() { connection?.maintain() }

    /// Disconnects; nothing more is sent or received.
    func close() {
        if isOnline { connection?.disconnect() }
        flush()
        connection = nil
        connectsAt = nil
        isOnline = false
    }

    private func attempt(_ body: (Connection) throws(MQTTError) -> Void) {
        guard let connection, failure == nil else { return }
        do {
            try body(connection)
        } catch {
            failure = error
        }
    }

    // MARK: News

    /// Returns what happened since the last call. If the connection has ended, that comes last, and
    /// the time of the next attempt is then set.
    func takeNews(at now: Duration) -> [News] {
        guard let connection else { return failure.map { [end(with: $0, at: now)] } ?? [] }
        var messages: [Message] = []
        var more: [Message]
        repeat {
            more = connection.receive(atMost: PhoneConnection.batch)
            messages += more
        } while more.count == PhoneConnection.batch
        var news: [News] = []
        for event in connection.takeEvents() {
            switch event {
            case .connected:
                isOnline = true
                backoff.reset()
                news.append(.online)
            case .confirmed(let id):
                if let content = answered(id) { news.append(.delivered(content)) }
            case .refused(let id):
                if let content = answered(id) { news.append(.refused(content)) }
            case .subscribed: continue
            case .disconnected(let error): failure = failure ?? error
            }
        }
        news += messages.map { .message($0) }
        if let failure { news.append(end(with: failure, at: now)) }
        return news
    }

    private func end(with error: MQTTError, at now: Duration) -> News {
        connection = nil
        failure = nil
        isOnline = false
        // Phones do not all reconnect at once.
        connectsAt = now + backoff.next() * random.next(in: 0.5...1)
        return .offline(error)
    }
}
