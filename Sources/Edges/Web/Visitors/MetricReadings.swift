internal import Contract
internal import HTTPTypes
internal import JSON
internal import MQTT
internal import ProcessFigures

/// The data about the bridge and the gate for `/metrics`.
struct MetricReading: Sendable, Equatable {
    /// The latest values by name; of the bridge only if they are current.
    var values: [String: Double] = [:]
    /// Whether the broker has accepted the token.
    var isVerified = false
    /// The reported reason why the bridge cannot store, if any.
    var reasonForDegradation: String?
    /// The concerns that it reports.
    var concerns: [String] = []

    static let nothing = MetricReading()

    /// The reason while only calls for help are stored.
    static let fullDisk = "disk-full"

    /// The values of the parts that are up.
    func values(_ finding: Health.Finding) -> [String: Double] {
        switch finding {
        case .well, .sparing: values
        case .noBridge: valuesOfGate
        case .noBroker: [:]
        }
    }

    /// The concerns of a bridge that is up.
    func concerns(_ finding: Health.Finding) -> [String] {
        switch finding {
        case .well, .sparing: concerns
        case .noBridge, .noBroker: []
        }
    }

    /// The gate's values, which are as current as the connection to the broker.
    var valuesOfGate: [String: Double] {
        values.filter {
            $0.key.hasPrefix("gate-") || $0.key.hasSuffix("-\(ProcessFigures.Part.broker)")
        }
    }
}

/// The last published metrics of the bridge and the gate, on a connection of the monitoring
/// account.
struct MetricReadings {
    private var values: [String: Double] = [:]
    /// The bridge's last status message; nil until the broker has sent it.
    private var status: JSONValue?
    /// When the bridge last reported, or might have begun to.
    private var heardAt = Duration.zero
    private var waiting = PendingAnswers<Void, MetricReading>()

    /// The time after a report when the next one is overdue; the bridge reports every ten seconds.
    static let freshness = Duration.seconds(35)

    var count: Int { waiting.count }

    /// Called after connecting. The broker then sends its retained messages: the metrics first,
    /// since they are subscribed to first, and the bridge's status last.
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

    /// Answers immediately, unless the broker has yet to send its retained messages.
    mutating func read(
        at now: Duration, until deadline: Duration,
        _ answer: @escaping VisitorConnections.Answer<MetricReading>
    ) {
        waiting.add((), until: deadline, answer)
        if status != nil { answerWaiting(at: now) }
    }

    private mutating func answerWaiting(at now: Duration) {
        waiting.answerAll(.success(reading(at: now)))
    }

    private func reading(at now: Duration) -> MetricReading {
        var reading = MetricReading(values: values, isVerified: true)
        let word = status?.text("status")
        if word == "degraded" {
            reading.reasonForDegradation = status?.text("reason") ?? "no reason"
        }
        // While it stores only calls for help, it continues to report.
        let isReporting = word == "online" || status?["calls"] == .bool(true)
        reading.concerns = word == nil ? [] : status?.texts("concerns") ?? []
        if !isReporting || now - heardAt > MetricReadings.freshness {
            reading.values = reading.valuesOfGate
        }
        return reading
    }

    /// Answers callers that wait too long: the broker has not admitted the connection yet, or there
    /// has never been a bridge.
    ///
    /// - Parameter isVerified: whether the broker has accepted the token.
    mutating func expire(at now: Duration, isVerified: Bool) {
        var reading = reading(at: now)
        reading.isVerified = isVerified
        waiting.expire(at: now, .success(reading))
    }

    /// - Parameter isVerified: whether the broker has accepted the token before.
    mutating func fail(_ refusal: Refusal, isVerified: Bool) {
        guard refusal.status == .serviceUnavailable else {
            return waiting.answerAll(.failure(refusal))
        }
        waiting.answerAll(.success(MetricReading(isVerified: isVerified)))
    }
}
