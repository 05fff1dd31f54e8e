/// The numbers that the tracking rules depend on; the defaults are the contract's (section 6).
public struct Rules: Hashable, Sendable {
    /// Metres around a destination that has no radius of its own.
    public var arrivalRadius = 50.0
    /// Metres; a less accurate fix says neither that somebody stays nor that they move, and neither
    /// that they left nor that they arrived.
    public var usableAccuracy = 200.0
    /// A person whose journey began at its destination has left it when this many metres outside
    /// the radius.
    public var departureMargin = 50.0
    /// A position older than this does not say where a journey began.
    public var originAge = Duration.seconds(900)
    public var stuckAfter = Duration.seconds(300)
    /// Metres.
    public var stuckRadius = 50.0
    /// The multiple of its accuracy by which a fix may be off before somebody counts as having
    /// moved: phones report a circle in which they are two times out of three.
    public var accuracyFactor = 1.5
    /// A stuck person is moving again after leaving this multiple of the radius.
    public var movingFactor = 1.5
    public var offlineAfter = Duration.seconds(60)
    public var silentAfter = Duration.seconds(300)
    /// How many of its usual intervals a device may miss before it counts as gone …
    public var rhythmFactor = 2.5
    /// … but never longer than this.
    public var rhythmLimit = Duration.seconds(900)
    /// A fix that arrives later than this after it was taken raises no live alert.
    public var backfillAge = Duration.seconds(120)
    /// How far ahead of the server's clock a fix may be.
    public var futureTolerance = Duration.seconds(60)
    public var repeatAfter = Duration.seconds(60)
    public var repeatAtMost = 10
    /// A person who shares and does nothing about it for this long is reminded; zero turns
    /// reminders off.
    public var remindAfter = Duration.seconds(7 * 86_400)
    /// Fixes beyond this number are kept in the history but no longer added to a path.
    public var maximumPathPoints = 100_000

    public init() {}
}
