/// What counts as running along a course. Lengths are in metres, times in seconds, speeds in metres per
/// second.
public struct RacingRules: Hashable, Sendable {
    /// So far beside the line somebody is on it, besides what their fix is inaccurate by.
    public var tolerance = 25.0
    /// Of a fix that does not say.
    public var usualAccuracy = 15.0
    /// A fix that is less accurate says no more.
    public var worstAccuracy = 50.0
    /// So near to the start line people wait; whoever is first seen behind that started in time.
    public var startZone = 150.0
    /// So near to it somebody has not come over it yet.
    public var startLine = 10.0
    /// So long before its end the course is over: nobody runs on to let the clock stop.
    public var finishTolerance = 5.0
    /// Which nobody exceeds.
    public var maximumSpeed = 12.0
    /// Before anything is known of somebody.
    public var usualSpeed = 3.0
    /// Over which a speed is averaged.
    public var speedOver = 20.0
    /// One fix beside the course may be a wrong one.
    public var offCourseFixes = 2
    /// So long without a fix is a silence, unless the device …
    public var silenceAfter = 60.0
    /// … sends one so seldom: this multiple of its intervals is one.
    public var silenceFactor = 4.0
    /// After a longer silence somebody who may have stood still has done so.
    public var longestSilence = 300.0
    /// So far somebody goes on along the course before a jump to there is believed.
    public var confirmation = 25.0

    public init() {}
}
