public import Tracking

/// When readings are too old, and how long is waited for what.
public struct MonitoringLimits: Hashable, Sendable {
    /// How long a reading counts.
    public var freshness: [Parameter: Duration] = [
        .pulse: .seconds(120), .respiration: .seconds(300), .oxygenSaturation: .seconds(300),
        .consciousness: .seconds(600), .systolicPressure: .seconds(3_600),
        .temperature: .seconds(3_600),
    ]
    /// A reading that arrives so long after it was taken is history.
    public var backfillAge = Duration.seconds(120)
    /// After so long an extreme value is confirmed, if more than one reading says so.
    public var confirmAfter = Duration.seconds(5)
    /// For so long a score that calls has to last: one message may be wrong in all it says.
    public var scoreFor = Duration.seconds(4)
    /// How long the person has to answer.
    public var answerWithin = Duration.seconds(30)
    /// After so long without anything unusual a question is withdrawn.
    public var recoverAfter = Duration.seconds(10)
    /// How long what a person has called fine is not asked about again, unless it gets worse.
    public var fineFor = Duration.seconds(900)
    /// How long after exertion it may still be the reason.
    public var exertionFor = Duration.seconds(600)
    /// After so long without a reading the person is told, and after so long their groups.
    public var silentAfter = Duration.seconds(600)
    public var silentForGroupsAfter = Duration.seconds(1_800)
    /// After so long without a reading, and three times as long as between the last two, the person is
    /// asked whether they are all right, if the last readings were dangerous.
    public var silentInDangerAfter = Duration.seconds(60)

    /// The person's own bounds.
    public var own: [Parameter: OwnThreshold] = [:]

    public init() {}
}

/// A person's own bounds, each of which replaces its side of the chart: outside it a value is extreme, within it
/// nothing.
public struct OwnThreshold: Hashable, Sendable {
    public let low: Double?
    public let high: Double?

    public init(low: Double?, high: Double?) { (self.low, self.high) = (low, high) }

    /// - Parameter middle: above which a value is on the high side.
    /// - Returns: nil on a side that has no bound: the chart counts.
    func points(of value: Double, _ middle: Double) -> Int? {
        if isTooLow(value) || isTooHigh(value) { return 3 }
        return (value > middle ? high : low).map { _ in 0 }
    }

    func isTooLow(_ value: Double) -> Bool { low.map { value < $0 } ?? false }
    func isTooHigh(_ value: Double) -> Bool { high.map { value > $0 } ?? false }
}

/// One value that was measured.
public struct Reading: Hashable, Sendable {
    public let parameter: Parameter
    public let value: Double
    public let takenAt: Timestamp

    public init(_ parameter: Parameter, _ value: Double, at takenAt: Timestamp) {
        (self.parameter, self.value, self.takenAt) = (parameter, value, takenAt)
    }
}
