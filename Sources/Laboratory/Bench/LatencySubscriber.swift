internal import Clocks
internal import Contract
internal import JSON
internal import MQTT
internal import Synchronization
internal import Tracking

/// A subscriber to the results of some users' fixes, which records how old each fix is when it
/// arrives.
final class LatencySubscriber: Sendable {
    private let port: UInt16
    private let topics: [String]
    private let last: Int64
    private let ages = Mutex<[Int64]>([])
    private let isDone = Mutex(false)

    /// - Parameter last: the number of the last fix.
    init(port: UInt16, topics: [String], last: Int64) {
        self.port = port
        self.topics = topics
        self.last = last
    }

    /// Runs until the last receipt has arrived.
    func run() throws {
        let connection = try Connection(
            ConnectionOptions(port: Int32(port), clientID: "bench.subscriber"))
        try connection.awaitConnected()
        try connection.subscribe(
            to: topics + [Stage.done], qos: .atMostOnce)
        try connection.release()
        while !isDone.withLock({ $0 }) {
            try connection.wait(atMost: 1000)
            let messages = connection.receive(atMost: 1000)
            let now = Timestamp.now
            for message in messages where !message.retain { note(message, now) }
            // It publishes nothing, so only pings keep the connection alive.
            connection.maintain()
            for case .disconnected(let error) in connection.takeEvents() { throw error }
            try connection.release()
        }
    }

    private func note(_ message: Message, _ now: Timestamp) {
        if message.topic == Stage.done {
            if Stage.sequence(message) == last { isDone.withLock { $0 = true } }
            return
        }
        do {
            let payload = try JSONValue.parse(message.payload)
            // A member's state has the fix in it; the echo is the fix itself.
            guard case .string(let text) = (payload["fix"] ?? payload)["timestamp"],
                let takenAt = Timestamp(rfc3339: text)
            else { return }
            ages.withLock { $0.append((now - takenAt).milliseconds) }
        } catch {
            return  // The message is neither.
        }
    }

    /// In milliseconds.
    var latency: Latency? { Latency(ages.withLock { $0 }) }
}

/// How long fixes took to become member states, in milliseconds.
struct Latency: Sendable {
    let p50: Int64
    let p99: Int64
    let max: Int64
    let count: Int

    init?(_ ages: [Int64]) {
        guard let last = ages.max() else { return nil }
        let sorted = ages.sorted()
        p50 = sorted[sorted.count / 2]
        p99 = sorted[Swift.min(sorted.count - 1, sorted.count * 99 / 100)]
        max = last
        count = ages.count
    }
}
