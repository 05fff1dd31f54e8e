import Contract
import MQTT
import TestBroker
import TestSupport
import Testing
import Tracking

/// A small stand-in for the bridge: it records what it receives and optionally sends receipts.
final class Service {
    /// By user.
    private(set) var fixes: [String: [Fix]] = [:]
    /// Topics and payloads of everything else, in order.
    private(set) var others: [(topic: Topic, payload: String)] = []
    /// The number of fixes in each message.
    private(set) var messageSizes: [Int] = []
    private var receipts: [String: Receipts] = [:]
    private let connection: Connection
    private let sendsReceipts: Bool
    private let topics = TopicSpace()
    /// What to answer to a request, by its method.
    var answer: (String) -> Reply.Outcome = { _ in .result(Array("{}".utf8)) }
    /// Numbers to refuse.
    var refused: Set<Int64> = []

    /// - Parameter isLasting: whether the broker queues messages for it while it is away.
    init(at broker: TestBroker, sendsReceipts: Bool = true, isLasting: Bool = false) throws {
        var options = ConnectionOptions(port: Int32(broker.port), clientID: "kith:bridge")
        if isLasting { (options.cleanStart, options.sessionExpiry) = (false, 3600) }
        connection = try Connection(options)
        self.sendsReceipts = sendsReceipts
    }

    /// Returns when the broker has answered.
    func connect() throws {
        try connection.connect()
        try run { connection.isConnected }
        try connection.subscribe(to: topics.inputs)
        var isSubscribed = false
        try run(noticing: { if case .subscribed = $0 { isSubscribed = true } }) { isSubscribed }
    }

    /// Receives nothing until it reconnects, and misses messages sent until then.
    func disconnect() throws {
        connection.disconnect()
        try connection.release()
        try run { connection.fileDescriptor < 0 }
    }

    /// Works until `condition` holds; fails after thirty seconds.
    func run(
        noticing notice: (Connection.Event) -> Void = { _ in }, until condition: () -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < deadline else { throw NothingHappened() }
            try connection.wait(atMost: 5)
            for message in connection.receive(atMost: 1000) { try take(message) }
            connection.takeEvents().forEach(notice)
            if connection.isConnected { try connection.release() }
        }
    }

    private func take(_ message: Message) throws {
        let topic = try #require(topics.parse(message.topic))
        guard case .fix(let user, let device) = topic else {
            others.append((topic, String(decoding: message.payload, as: UTF8.self)))
            if case .request(let user, let device, let method) = topic {
                let reply = Reply(id: try Request(message.payload).id, answer(method))
                try connection.publish(
                    topic: topics.string(.replies(user, device: device, suffix: "")),
                    payload: reply.payload, qos: .atLeastOnce)
            }
            return
        }
        let now = Timestamp(milliseconds: 4_000_000_000_000)
        let message = try FixMessage(message.payload, receivedAt: now, .anyTime)
        messageSizes.append(message.fixes.count)
        var receipts = self.receipts[user.text] ?? Receipts()
        for fix in message.fixes {
            let isNew = !fixes[user.text, default: []].contains { $0.takenAt == fix.takenAt }
            if let sequence = fix.sequence { receipts.note(sequence, isNew: isNew, at: now) }
            fixes[user.text, default: []].append(fix)
        }
        self.receipts[user.text] = receipts
        let numbers = message.fixes.compactMap(\.sequence).filter { refused.contains($0) }
        if !numbers.isEmpty {
            let rejection = Rejection(
                topic: topics.string(topic), problem: Problem(.tooOld, "x"), sequences: numbers)
            try connection.publish(
                topic: topics.string(.rejected(user, device: device)), payload: rejection.payload,
                qos: .atLeastOnce)
        }
        if sendsReceipts, let through = receipts.storedThrough {
            try connection.publish(
                topic: topics.string(.stored(user, device: device)),
                payload: Receipt.payload(storedThrough: through), qos: .atLeastOnce)
        }
    }
}

extension FixLimits {
    static var anyTime: FixLimits {
        var limits = FixLimits()
        limits.retention = .seconds(1 << 40)
        return limits
    }
}
