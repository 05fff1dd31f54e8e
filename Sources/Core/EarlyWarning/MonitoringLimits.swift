public import Tracking

/// The age limits of readings, and the waiting times.
public struct MonitoringLimits: Hashable, Sendable {
    /// How long a reading counts.
    public var freshness: [Parameter: Duration] = [
        .pulse: .seconds(120), .respiration: .seconds(300), .oxygenSaturation: .seconds(300),
        .consciousness: .seconds(600), .systolicPressure: .seconds(3_600),
        .temperature: .seconds(3_600),
    ]
    /// A reading that arrives this long after it was taken is history.
    public var backfillAge = Duration.seconds(120)
    /// The time after which an extreme value is confirmed, if more than one reading shows it.
    public var confirmAfter = Duration.seconds(5)
    /// How long a score that calls has to last: a single message may be entirely wrong.
    public var scoreFor = Duration.seconds(4)
    /// How long the person has to answer.
    public var answerWithin = Duration.seconds(30)
    /// The time without anything unusual after which a question is withdrawn.
    public var recoverAfter = Duration.seconds(10)
    /// How long values that a person has called fine are not asked about again, unless they get
    /// worse.
    public var fineFor = Duration.seconds(900)
    /// How long after exertion it may still explain a value.
    public var exertionFor = Duration.seconds(600)
    /// The time without a reading after which the person is notified, and after which their groups
    /// are.
    public var silentAfter = Duration.seconds(600)
    public var silentForGroupsAfter = Duration.seconds(1_800)
    /// The time without a reading, and at least three times the longest recent interval, after
    /// which the person is asked whether they are all right, if the last readings were dangerous.
    public var silentInDangerAfter = Duration.seconds(60)

    /// The person's own bounds.
    public var own: [Parameter: OwnThreshold] = [:]

    public init() {}
}

/// A person's own bounds, each of which replaces its side of the chart: a value outside is extreme,
/// one within has no points.
public struct OwnThreshold: Hashable, Sendable {
    public let low: Double?
    public let high: Double?

    public init(low: Double?, high: Double?) { (self.low, self.high) = (low, high) }

    /// - Parameter middle: the value above which the high side begins.
    /// - Returns: nil on a side without a bound, where the chart counts.
    func points(of value: Double, _ middle: Double) -> Int? {
        if isTooLow(value) || isTooHigh(value) { return 3 }
        return (value > middle ? high : low).map { _ in 0 }
    }

    func isTooLow(_ value: Double) -> Bool { low.map { value < $0 } ?? false }
    func isTooHigh(_ value: Double) -> Bool { high.map { value > $0 } ?? false }
}

/// One measured value.
public struct Reading: Hashable, Sendable {
    public let parameter: Parameter
    public let value: Double
    public let takenAt: Timestamp

    public init(_ parameter: Parameter, _ value: Double, at takenAt: Timestamp) {
        (self.parameter, self.value, self.takenAt) = (parameter, value, takenAt)
    }
}
