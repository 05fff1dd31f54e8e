public import Tracking

/// A runner's progress along a course, by their fixes in the order in which they were taken.
///
/// It is a function of the course, the start and these fixes: after a late fix, or a correction of
/// the course, all fixes are handled again from the beginning.
public struct Runner: Hashable, Sendable {
    /// Metres from the start; it never decreases.
    public internal(set) var distance = 0.0
    /// When they crossed the start line, ...
    public internal(set) var startedAt: Timestamp?
    /// ... and the finish line, interpolated.
    public internal(set) var finishedAt: Timestamp?
    /// Metres per second over the last half minute or so; nil while unknown.
    public var speed: Double? { velocity.map { max(0, $0) } }
    /// The numbers of the checkpoints of all laps that they bypassed.
    public internal(set) var missed: [Int] = []
    /// When the last fix was taken.
    public private(set) var lastAt: Timestamp?
    /// Whether they were beside the course then.
    public private(set) var isOffCourse = false
    /// Their splits, from the start line to the finish line.
    public private(set) var splits: [Split] = []

    /// A runner's distance at a time.
    public struct Split: Hashable, Sendable {
        public let at: Timestamp
        /// Metres from the start.
        public let distance: Double

        public init(at: Timestamp, distance: Double) { (self.at, self.distance) = (at, distance) }
    }

    /// Their last place on the course: behind ``distance`` if they have turned round.
    var place: Place?
    /// The last fix at the start line.
    var line: Place?
    /// The place where they may be instead.
    var rival: Rival?
    /// The fixes elsewhere since the last one on the course.
    var offCourseCount = 0
    /// The time before which no one runs.
    var start: Timestamp?
    /// The speed of ``place``; below 0 if they go back.
    var velocity: Double?
    /// Seconds between two fixes, on average.
    private var interval: Double?

    struct Place: Hashable, Sendable {
        let at: Timestamp
        /// Metres from the start.
        let distance: Double
    }

    public init() {}

    /// Restores a runner's result, which no longer changes.
    public init(
        distance: Double, startedAt: Timestamp?, finishedAt: Timestamp?, missed: [Int],
        splits: [Split]
    ) {
        (self.distance, self.startedAt, self.finishedAt) = (distance, startedAt, finishedAt)
        (self.missed, self.splits) = (missed, splits)
    }

    public var hasStarted: Bool { startedAt != nil }
    public var hasFinished: Bool { finishedAt != nil }
    /// Seconds per kilometre; nil while they stand, or the speed is unknown.
    public var pace: Double? { speed.flatMap { $0 > 0.3 ? 1_000 / $0 : nil } }

    /// Handles the next fix, taken after all before.
    ///
    /// - Parameter start: the time before which no one runs.
    /// - Returns: the number of straight parts of the course with which the fix was compared.
    @discardableResult
    public mutating func receive(
        _ fix: Fix, on course: Course, from start: Timestamp, _ rules: RacingRules
    ) -> Int {
        guard !hasFinished, fix.takenAt > lastAt ?? .init(milliseconds: .min) else { return 0 }
        let before = lastAt
        (lastAt, self.start) = (fix.takenAt, start)
        var segmentsRead = 0
        guard fix.takenAt >= start else {
            noteWaiting(fix, on: course, rules, &segmentsRead)
            return segmentsRead
        }
        let sight = sight(of: fix, after: before, on: course, from: start, rules, &segmentsRead)
        isOffCourse = sight.matches.isEmpty
        if isOffCourse {
            rival = nil
            if place != nil { offCourseCount += 1 }
        } else {
            follow(sight, on: course, rules)
        }
        noteSplit(on: course)
        return segmentsRead
    }

    /// Handles a fix of a runner who waits for the start.
    private mutating func noteWaiting(
        _ fix: Fix, on course: Course, _ rules: RacingRules, _ segmentsRead: inout Int
    ) {
        let limit = rules.limit(of: fix)
        isOffCourse =
            course.matches(
                fix.coordinate, in: 0...limit, within: limit, &segmentsRead
            ).isEmpty
        guard !isOffCourse, let start else { return }
        place = Place(at: start, distance: 0)
        line = place
    }

    private mutating func noteSplit(on course: Course) {
        guard let startedAt else { return }
        if splits.isEmpty { splits.append(Split(at: startedAt, distance: 0)) }
        guard let last = splits.last, let at = finishedAt ?? place?.at, at > last.at,
            distance >= last.distance + (hasFinished ? 0 : course.splitLength)
        else { return }
        splits.append(Split(at: at, distance: distance))
    }

    // MARK: Sightings

    /// A fix, and the information that it gives about the runner.
    struct Sight {
        let at: Timestamp
        /// The place where they were.
        let origin: Place
        /// Seconds since then, ...
        let since: Double
        /// ... and since the fix before.
        let quiet: Double
        let isSilence: Bool
        let isLongSilence: Bool
        /// Metres from the line within which they are on it.
        let limit: Double
        /// Their usual speed in metres per second, ...
        let usual: Double
        /// ... and the fastest possible one.
        let fastest: Double
        /// The places on the course that the fix may stand for.
        let matches: [Course.Match]
    }

    private mutating func sight(
        of fix: Fix, after before: Timestamp?, on course: Course, from start: Timestamp,
        _ rules: RacingRules, _ segmentsRead: inout Int
    ) -> Sight {
        let limit = rules.limit(of: fix)
        let origin = place ?? Place(at: start, distance: 0)
        let since = max(0, (fix.takenAt - origin.at) / .seconds(1))
        let quiet = max(0, (fix.takenAt - max(before ?? start, start)) / .seconds(1))
        defer { interval = interval.map { $0 + (quiet - $0) / 5 } ?? quiet }
        // The same place a lap later does not count as another place.
        let room =
            course.isClosed ? max(course.lapLength / 2, course.lapLength - 2 * limit) : .infinity
        // Twice: a runner that near to a turn was there, and is on the way back.
        let reach = min(room, 2 * limit + since * rules.maximumSpeed)
        let first = max(0, origin.distance - reach)
        let beyond = rival.map { $0.last.distance + limit + quiet * rules.maximumSpeed } ?? 0
        let last = max(first, min(max(origin.distance + reach, beyond), course.length))
        let matches = course.matches(
            fix.coordinate, in: first...last, within: limit, &segmentsRead)
        let average = startedAt.map { origin.distance / max(1, (origin.at - $0) / .seconds(1)) }
        return Sight(
            at: fix.takenAt, origin: origin, since: since, quiet: quiet,
            isSilence: quiet > max(rules.silenceAfter, rules.silenceFactor * (interval ?? 0)),
            isLongSilence: since > max(rules.longestSilence, 2 * (interval ?? 0)), limit: limit,
            usual: min(speed ?? rules.usualSpeed, rules.maximumSpeed),
            fastest: min(
                2 * max(speed ?? 0, average ?? 0, rules.usualSpeed), rules.maximumSpeed),
            // A cut-off end of the line is not a place where it comes near.
            matches: matches.filter {
                ($0.distance > first + 0.01 || first == 0)
                    && ($0.distance < last - 0.01 || last == course.length)
            })
    }
}

extension RacingRules {
    /// Returns the distance in metres from the line within which the fix is on it.
    func limit(of fix: Fix) -> Double {
        tolerance + max(0, min(fix.accuracy ?? usualAccuracy, worstAccuracy))
    }
}
