/// The numbers that the tracking rules depend on; the defaults are the contract's (section 6).
public struct Rules: Hashable, Sendable {
    /// Metres around a destination that has no radius of its own.
    public var arrivalRadius = 50.0
    /// Metres; a less accurate fix shows neither rest nor movement, and neither departure nor
    /// arrival.
    public var usableAccuracy = 200.0
    /// A person whose journey began at its destination has left it when this many metres outside
    /// the radius.
    public var departureMargin = 50.0
    /// A person whose journey began this many metres or fewer outside the radius has to have been
    /// farther away before an arrival counts, or has to stay for ``stuckAfter``.
    public var awayMargin = 350.0
    /// A single fix without a successor shows an arrival if its accuracy is within this many metres
    /// plus the radius …
    public var visitTolerance = 50.0
    /// … and its speed at most this, in metres per second: driving by is not an arrival.
    public var passingSpeed = 5.0
    /// Metres per second; a slower person is at rest, and one such fix is as good as two.
    public var restingSpeed = 0.5
    /// The metres by which a circle monitored by an app may be larger than the destination.
    public var fenceTolerance = 150.0
    /// A position older than this does not show where a journey began.
    public var originAge = Duration.seconds(900)
    public var stuckAfter = Duration.seconds(300)
    /// Metres.
    public var stuckRadius = 50.0
    /// The multiple of its accuracy by which a fix may be off before a person counts as having
    /// moved: phones report a circle that contains them two times out of three.
    public var accuracyFactor = 1.5
    /// A longer time between two fixes is no evidence of standing still …
    public var gapAfter = Duration.seconds(90)
    /// … unless the person is still there this long after the first fix that follows.
    public var gapConfirmation = Duration.seconds(60)
    /// A stuck person is moving again after leaving this multiple of the radius.
    public var movingFactor = 1.5
    public var offlineAfter = Duration.seconds(60)
    /// The time for which a person without a connection counts as connected: most connections come
    /// back.
    public var leavingPatience = Duration.seconds(5)
    public var silentAfter = Duration.seconds(300)
    /// The number of its usual intervals that a device may miss before it counts as gone …
    public var rhythmFactor = 2.5
    /// … but no longer than this, unless …
    public var rhythmLimit = Duration.seconds(900)
    /// … its intervals themselves are that long: then this multiple of them, or of the last one if
    /// they are too few for a rhythm, …
    public var slowRhythmFactor = 1.5
    /// … and never longer than this.
    public var longestPatience = Duration.seconds(7200)
    /// Metres per second, about the speed of sound: the maximum speed of a person …
    public var leapSpeed = 340.0
    /// … than this much before: times are given in whole seconds, and clocks differ.
    public var leapSlack = Duration.seconds(10)
    /// Metres; a less accurate fix does not replace a fresh one that is at least twice as exact and
    /// within its circle.
    public var coarseAccuracy = 100.0
    /// The time for which an exact position is fresh …
    public var exactAge = Duration.seconds(120)
    /// … and the same if the person had already been there for that time.
    public var exactAgeAtRest = Duration.seconds(900)
    /// Metres; the device that the person carries has moved when it is farther away.
    public var carriedRadius = 50.0
    /// Metres; another device has moved when it is farther away, and two within this are together.
    public var separationRadius = 200.0
    /// A displaced device that is seen in only one new place has moved after this time.
    public var displacedAfter = Duration.seconds(600)
    /// The carried device no longer shows where the person is if it had been at rest this long when
    /// another one, somewhere else, began to move.
    public var overruledAfter = Duration.seconds(1800)
    /// A device near the carried one moves along unless it has been at rest this much longer.
    public var alongWithin = Duration.seconds(300)
    /// A fix that arrives later than this after it was taken raises no live alert.
    public var backfillAge = Duration.seconds(120)
    /// The maximum lead of a fix over the server's clock.
    public var futureTolerance = Duration.seconds(60)
    public var repeatAfter = Duration.seconds(60)
    public var repeatAtMost = 10
    /// A call for help with an older position is repeated as soon as there is a newer one.
    public var locatedWithin = Duration.seconds(60)
    /// A person who shares without any interaction for this long is reminded; zero disables
    /// reminders.
    public var remindAfter = Duration.seconds(7 * 86_400)
    /// Fixes beyond this number are kept in the history but no longer added to a path.
    public var maximumPathPoints = 100_000

    public init() {}
}
