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
    /// A person whose journey began this many metres or fewer outside the radius has to have been
    /// farther away before an arrival counts, or has to stay for ``stuckAfter``.
    public var awayMargin = 350.0
    /// A single fix says that somebody has arrived, if nothing follows it, when it is off by no more
    /// metres than these and the radius …
    public var visitTolerance = 50.0
    /// … and no faster than this, in metres a second: who drives by has not arrived.
    public var passingSpeed = 5.0
    /// Metres a second: who is slower rests, and one such fix is as good as two.
    public var restingSpeed = 0.5
    /// How many metres larger than a destination the circle may be that an app watches there.
    public var fenceTolerance = 150.0
    /// A position older than this does not say where a journey began.
    public var originAge = Duration.seconds(900)
    public var stuckAfter = Duration.seconds(300)
    /// Metres.
    public var stuckRadius = 50.0
    /// The multiple of its accuracy by which a fix may be off before somebody counts as having
    /// moved: phones report a circle in which they are two times out of three.
    public var accuracyFactor = 1.5
    /// A longer time between two fixes is no evidence of standing still …
    public var gapAfter = Duration.seconds(90)
    /// … unless the person is still there this long after the first fix that follows.
    public var gapConfirmation = Duration.seconds(60)
    /// A stuck person is moving again after leaving this multiple of the radius.
    public var movingFactor = 1.5
    public var offlineAfter = Duration.seconds(60)
    /// How long a person without a connection counts as connected: most connections come back.
    public var leavingPatience = Duration.seconds(5)
    public var silentAfter = Duration.seconds(300)
    /// How many of its usual intervals a device may miss before it counts as gone …
    public var rhythmFactor = 2.5
    /// … but no longer than this, unless …
    public var rhythmLimit = Duration.seconds(900)
    /// … its intervals themselves are as long: then this multiple of them, as also of the last one
    /// where they are too few for a rhythm, …
    public var slowRhythmFactor = 1.5
    /// … and never longer than this.
    public var longestPatience = Duration.seconds(7200)
    /// Metres per second, about the speed of sound: nobody gets anywhere faster …
    public var leapSpeed = 340.0
    /// … than this much before: times are given in whole seconds, and clocks differ.
    public var leapSlack = Duration.seconds(10)
    /// Metres; a less accurate fix does not replace a fresh one that is twice as exact or more and
    /// that lies in its circle.
    public var coarseAccuracy = 100.0
    /// So long an exact position is fresh …
    public var exactAge = Duration.seconds(120)
    /// … and so long if the person had been there for the former time already.
    public var exactAgeAtRest = Duration.seconds(900)
    /// Metres; the device that the person carries has moved when it is farther away.
    public var carriedRadius = 50.0
    /// Metres; another device has moved when it is farther away, and two within this are together.
    public var separationRadius = 200.0
    /// A device that was displaced and is seen in one new place only has moved after this time.
    public var displacedAfter = Duration.seconds(600)
    /// The carried device does not say where the person is if it had lain for so long when another
    /// one, somewhere else, began to move.
    public var overruledAfter = Duration.seconds(1800)
    /// A device near the carried one goes along unless it has lain for so much longer.
    public var alongWithin = Duration.seconds(300)
    /// A fix that arrives later than this after it was taken raises no live alert.
    public var backfillAge = Duration.seconds(120)
    /// How far ahead of the server's clock a fix may be.
    public var futureTolerance = Duration.seconds(60)
    public var repeatAfter = Duration.seconds(60)
    public var repeatAtMost = 10
    /// A call for help with an older position is told again as soon as there is a newer one.
    public var locatedWithin = Duration.seconds(60)
    /// A person who shares and does nothing about it for this long is reminded; zero turns
    /// reminders off.
    public var remindAfter = Duration.seconds(7 * 86_400)
    /// Fixes beyond this number are kept in the history but no longer added to a path.
    public var maximumPathPoints = 100_000

    public init() {}
}
