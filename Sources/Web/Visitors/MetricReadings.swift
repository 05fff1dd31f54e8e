internal import Contract
internal import HTTPTypes
internal import JSON
internal import MQTT

/// The metrics as the bridge and the gate last published them, on the operator's connection.
struct MetricReadings {
    private var values: [String: Double] = [:]
    /// The bridge's last status message; nil until the broker has sent it.
    private var status: JSONValue?
    /// When the bridge last reported, or might have begun to.
    private var heardAt = Duration.zero
    private var waiting = PendingAnswers<Void, [String: Double]>()

    /// How long after a report the next one is overdue; the bridge reports every ten seconds.
    static let freshness = Duration.seconds(35)

    var count: Int { waiting.count }

    /// Called after connecting. The broker then sends what it retains: the metrics first, since
    /// they are subscribed to first, and the bridge's status after all of them.
    mutating func begin(at now: Duration) {
        (values, status) = ([:], nil)
        heardAt = now
    }

    mutating func take(_ message: Message, _ topics: TopicSpace, at now: Duration) {
        switch topics.parse(message.topic) {
        case .metric(let name)?:
            values[name] = Double(String(decoding: message.payload, as: UTF8.self))
            if name == MetricName.uptime, !message.retain { heardAt = now }
        case .systemStatus?:
            status = JSONValue(parsing: message.payload)
            // It reports once it has been connected for a while.
            if !message.retain { heardAt = now }
            answerWaiting(at: now)
        default: break
        }
    }

    /// Answers at once, unless the broker has yet to send what it retains.
    mutating func read(
        at now: Duration, until deadline: Duration,
        _ answer: @escaping VisitorConnections.Answer<[String: Double]>
    ) {
        waiting.add((), until: deadline, answer)
        if status != nil { answerWaiting(at: now) }
    }

    private mutating func answerWaiting(at now: Duration) {
        waiting.answerAll(
            reasonForDoubt(at: now).map { .failure(.noMetrics($0)) } ?? .success(values))
    }

    /// Nil if the values are current.
    private func reasonForDoubt(at now: Duration) -> String? {
        switch status?.text("status") {
        case "online":
            let silence = now - heardAt
            guard silence > MetricReadings.freshness else { return nil }
            return "The bridge has reported nothing for \(silence.components.seconds) seconds."
        case "degraded":
            return "The bridge cannot store anything (\(status?.text("reason") ?? "no reason"))."
        default: return "The bridge is not connected."
        }
    }

    mutating func expire(at now: Duration) {
        waiting.expire(at: now, .noMetrics("No bridge has connected yet."))
    }

    mutating func fail(_ refusal: Refusal) { waiting.answerAll(.failure(refusal)) }
}

extension Refusal {
    fileprivate static func noMetrics(_ reason: String) -> Refusal {
        Refusal(.serviceUnavailable, reason, retryAfter: .seconds(10))
    }
}
