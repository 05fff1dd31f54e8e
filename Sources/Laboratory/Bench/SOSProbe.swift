internal import Clocks
internal import Contract
internal import JSON
internal import MQTT
internal import Synchronization
internal import Tracking

/// Users who call for help, one after the other, and a member of their groups who records how long
/// each call took to arrive.
final class SOSProbe: Sendable {
    private let port: UInt16
    private let groups: [GroupKey]
    private let groupOf: [String: GroupKey]
    private let noted = Mutex(SOSTrace())
    private let isStopped = Mutex(false)

    /// Milliseconds between two calls.
    private static let pause: Int64 = 50
    /// Milliseconds until a call counts as lost.
    private static let patience: Int64 = 10_000

    init(port: UInt16, groups: [GroupKey], groupOf: [String: GroupKey]) {
        self.port = port
        self.groups = groups
        self.groupOf = groupOf
    }

    func stop() { isStopped.withLock { $0 = true } }

    var trace: SOSTrace { noted.withLock { $0 } }

    func run() throws {
        let connection = try Connection(
            ConnectionOptions(port: Int32(port), clientID: "bench.sos"))
        try connection.awaitConnected()
        try connection.subscribe(
            to: groups.map { "kith/groups/\($0)/alerts" }
                + ["sum", "count"].map { SOSProbe.metric + $0 })
        try connection.release()
        let sampled = Set(groups)
        for (user, group) in groupOf where sampled.contains(group) {
            if isStopped.withLock({ $0 }) { break }
            try call(user, connection)
            let next = Timestamp.now + .milliseconds(SOSProbe.pause)
            while Timestamp.now < next { _ = try listen(connection) }
        }
        // The bridge publishes its metrics every ten seconds.
        let end = Timestamp.now + .seconds(12)
        while Timestamp.now < end { _ = try listen(connection) }
    }

    private func call(_ user: String, _ connection: Connection) throws {
        let start = Timestamp.now
        let id = try connection.publish(
            topic: "kith/users/\(user)/devices/\(Stage.device)/requests/sos.trigger",
            payload: Array("{}".utf8), qos: .atLeastOnce)
        try connection.release()
        var confirmed: Duration?
        while Timestamp.now < start + .milliseconds(SOSProbe.patience) {
            let (messages, confirmations) = try listen(connection)
            if confirmations.contains(id) { confirmed = Timestamp.now - start }
            for alert in messages where alert["user"] == .string(user) {
                let heard = Timestamp.now - start
                return noted.withLock {
                    $0.note(
                        confirmed: confirmed, taken: SOSProbe.time(of: alert, since: start),
                        heard: heard)
                }
            }
        }
        noted.withLock { $0.noteLost(after: SOSProbe.patience) }
    }

    private static func time(of alert: JSONValue, since start: Timestamp) -> Duration? {
        guard case .string(let text) = alert["at"], let time = Timestamp(rfc3339: text) else {
            return nil
        }
        return time - start
    }

    private func listen(_ connection: Connection) throws
        -> (alerts: [JSONValue], confirmations: Set<Connection.PublishID>)
    {
        try connection.wait(atMost: 5)
        let messages = connection.receive(atMost: 1000)
        let confirmations = connection.takeEvents().compactMap { event in
            if case .confirmed(let id) = event { id } else { nil }
        }
        try connection.release()
        var alerts: [JSONValue] = []
        for message in messages {
            if message.topic.hasPrefix(SOSProbe.metric) {
                note(message)
            } else {
                alerts.append(try JSONValue.parse(message.payload))
            }
        }
        return (alerts, Set(confirmations))
    }

    private func note(_ metric: Message) {
        guard let value = Double(String(decoding: metric.payload, as: UTF8.self)) else { return }
        noted.withLock { trace in
            if metric.topic.hasSuffix("sum") {
                trace.inside.sum = value
            } else {
                trace.inside.count = value
            }
        }
    }

    private static let metric = "kith/system/metrics/call-seconds-"
}
