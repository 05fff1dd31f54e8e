/// The criteria for running along a course. Lengths are in metres, times in seconds, speeds in
/// metres per second.
public struct RacingRules: Hashable, Sendable {
    /// The distance from the line within which a runner is on it, in addition to the fix's
    /// accuracy.
    public var tolerance = 25.0
    /// The accuracy of a fix that does not state it.
    public var usualAccuracy = 15.0
    /// The worst accuracy that is taken into account.
    public var worstAccuracy = 50.0
    /// How near to the start line people wait; a runner first seen beyond that started in time.
    public var startZone = 150.0
    /// How near to it a runner has not crossed it yet.
    public var startLine = 10.0
    /// The distance before its end at which the course is finished: no runner continues just to
    /// stop the clock.
    public var finishTolerance = 5.0
    /// A speed that no runner exceeds.
    public var maximumSpeed = 12.0
    /// The speed assumed before anything is known of a runner.
    public var usualSpeed = 3.0
    /// The time over which a speed is averaged.
    public var speedOver = 20.0
    /// The number of fixes beside the course that count: a single one may be wrong.
    public var offCourseFixes = 2
    /// The time without a fix that is a silence, unless the device …
    public var silenceAfter = 60.0
    /// … sends fixes rarely: then it is this multiple of its interval.
    public var silenceFactor = 4.0
    /// After a longer silence a runner who may have stood still has done so.
    public var longestSilence = 300.0
    /// How far a runner continues along the course before a jump to there is believed.
    public var confirmation = 25.0

    public init() {}
}
