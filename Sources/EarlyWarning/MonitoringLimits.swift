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
    /// For so long, or by a second reading, an extreme value is confirmed.
    public var confirmAfter = Duration.seconds(10)
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

    /// The person's own bounds.
    public var own: [Parameter: OwnThreshold] = [:]

    public init() {}
}

/// A person's own bounds, which replace the chart: outside them a value is extreme, within them it is
/// nothing.
public struct OwnThreshold: Hashable, Sendable {
    public let low: Double?
    public let high: Double?

    public init(low: Double?, high: Double?) { (self.low, self.high) = (low, high) }

    func points(of value: Double) -> Int {
        if let low, value < low { return 3 }
        if let high, value > high { return 3 }
        return 0
    }
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
