internal import Numbers
public import Tracking

/// How far somebody has come along a course, by their fixes in the order in which they were taken.
///
/// It is a function of the course, the start and these fixes: whoever gets a late one, or corrects the
/// course, takes them all again from the beginning.
public struct Runner: Hashable, Sendable {
    /// Metres from the start; it never decreases.
    public private(set) var distance = 0.0
    /// When they came over the start line, ...
    public private(set) var startedAt: Timestamp?
    /// ... and over the finish line, interpolated.
    public private(set) var finishedAt: Timestamp?
    /// Metres per second over the last half minute or so; nil until it is known.
    public private(set) var speed: Double?
    /// The numbers of the checkpoints of all laps that they have gone around.
    public private(set) var missed: [Int] = []
    /// When the last fix was taken.
    public private(set) var lastAt: Timestamp?
    /// Whether they were beside the course then.
    public private(set) var isOffCourse = false
    /// How they came along, from the start line to the finish line.
    public private(set) var splits: [Split] = []

    /// When somebody was how far.
    public struct Split: Hashable, Sendable {
        public let at: Timestamp
        /// Metres from the start.
        public let distance: Double

        public init(at: Timestamp, distance: Double) { (self.at, self.distance) = (at, distance) }
    }

    /// The last fix on the course.
    private var place: Place?
    /// The last one at the start line.
    private var line: Place?
    /// A fix that is so far ahead that the next one has to confirm it.
    private var doubted: Place?
    /// The fixes beside the course since the last one on it.
    private var offCourseCount = 0

    /// Before which nobody runs.
    private var start: Timestamp?

    private struct Place: Hashable, Sendable {
        var at: Timestamp
        /// Metres from the start.
        var distance: Double
    }

    public init() {}

    /// What became of somebody, restored: it goes on no more.
    public init(
        distance: Double, startedAt: Timestamp?, finishedAt: Timestamp?, missed: [Int],
        splits: [Split]
    ) {
        (self.distance, self.startedAt, self.finishedAt) = (distance, startedAt, finishedAt)
        (self.missed, self.splits) = (missed, splits)
    }

    public var hasStarted: Bool { startedAt != nil }
    public var hasFinished: Bool { finishedAt != nil }
    /// Seconds per kilometre; nil while they stand, or nothing is known.
    public var pace: Double? { speed.flatMap { $0 > 0.3 ? 1_000 / $0 : nil } }

    /// Takes the next fix: one that was taken after all before.
    ///
    /// - Parameter start: before which nobody runs.
    /// - Returns: the straight parts of the course with which the fix was compared.
    @discardableResult
    public mutating func receive(
        _ fix: Fix, on course: Course, from start: Timestamp, _ rules: RacingRules
    ) -> Int {
        guard !hasFinished, fix.takenAt > lastAt ?? .init(milliseconds: .min) else { return 0 }
        lastAt = fix.takenAt
        self.start = start
        var segmentsRead = 0
        let match = match(fix, on: course, from: start, rules, &segmentsRead)
        note(match, of: fix, on: course, from: start, rules)
        noteSplit(on: course)
        return segmentsRead
    }

    /// - Parameter match: the place of the course; nil: beside it.
    private mutating func note(
        _ match: Course.Match?, of fix: Fix, on course: Course, from start: Timestamp,
        _ rules: RacingRules
    ) {
        guard let match else {
            isOffCourse = true
            doubted = nil
            if place != nil, fix.takenAt >= start { offCourseCount += 1 }
            return
        }
        isOffCourse = false
        let next = Place(at: fix.takenAt, distance: match.distance)
        guard fix.takenAt >= start else {
            // Where they wait.
            guard match.distance <= rules.startZone else { return }
            place = Place(at: start, distance: 0)
            line = place
            return
        }
        guard let last = place else { return begin(next, from: start, on: course, rules) }
        if isDoubtful(next, after: last, rules) {
            guard let first = doubted, next.distance >= first.distance - rules.tolerance else {
                doubted = next
                return
            }
            move(to: first, from: last, on: course, rules)
            doubted = nil
            if let last = place, !hasFinished { move(to: next, from: last, on: course, rules) }
            return
        }
        doubted = nil
        move(to: next, from: last, on: course, rules)
    }

    private mutating func noteSplit(on course: Course) {
        guard let startedAt else { return }
        if splits.isEmpty { splits.append(Split(at: startedAt, distance: 0)) }
        guard let last = splits.last, let at = finishedAt ?? place?.at, at > last.at,
            distance >= last.distance + (hasFinished ? 0 : course.splitLength)
        else { return }
        splits.append(Split(at: at, distance: distance))
    }

    // MARK: Where they are

    /// - Returns: the place of the course that the fix stands for; nil if it is beside the course.
    private func match(
        _ fix: Fix, on course: Course, from start: Timestamp, _ rules: RacingRules,
        _ segmentsRead: inout Int
    ) -> Course.Match? {
        let accuracy = max(0, min(fix.accuracy ?? rules.usualAccuracy, rules.worstAccuracy))
        let limit = rules.tolerance + accuracy
        // Nobody comes farther than this since they were last seen on the course, or since the start.
        let known = place ?? Place(at: min(start, fix.takenAt), distance: 0)
        let seconds = max(0, (fix.takenAt - max(known.at, min(start, fix.takenAt))) / .seconds(1))
        let reach = known.distance + seconds * rules.maximumSpeed + limit
        let usual = min(speed ?? rules.usualSpeed, rules.maximumSpeed)
        let expected = known.distance + usual * seconds
        // Each lap has the same places: the nearest ones are a lap away at most.
        let middle = min(expected, course.length)
        let first = max(0, known.distance - limit, middle - course.lapLength)
        let last = max(first, min(reach, middle + course.lapLength))
        let matches = course.matches(
            fix.coordinate, in: first...last, within: limit, &segmentsRead)
        // The nearer to the line, and to where they would be if they went on like this.
        let width = limit + usual * seconds / 2
        func cost(_ match: Course.Match) -> Double {
            let (across, along) = (match.offset / limit, (match.distance - expected) / width)
            return across * across + along * along
        }
        return matches.min { cost($0) < cost($1) }
    }

    /// Whether somebody would have to have come much faster than before: a fix that jumps says so, and
    /// is alone.
    private func isDoubtful(_ next: Place, after last: Place, _ rules: RacingRules) -> Bool {
        let seconds = (next.at - last.at) / .seconds(1)
        let usual = max(speed ?? rules.usualSpeed, rules.usualSpeed)
        return next.distance - last.distance > rules.tolerance + 2 * usual * seconds
    }

    // MARK: Moving

    private mutating func begin(
        _ first: Place, from start: Timestamp, on course: Course, _ rules: RacingRules
    ) {
        guard first.distance > rules.startZone else {
            place = first
            line = first
            return
        }
        // Nothing had come of them before: they were somewhere on the way since the start.
        startedAt = start
        place = Place(at: start, distance: 0)
        if let last = place { move(to: first, from: last, on: course, rules) }
    }

    private mutating func move(
        to next: Place, from last: Place, on course: Course, _ rules: RacingRules
    ) {
        let advance = max(0, next.distance - last.distance)
        let seconds = (next.at - last.at) / .seconds(1)
        if seconds > 0 { noteSpeed(advance / seconds, over: seconds, rules) }
        if startedAt == nil { noteStart(next, after: last, rules) }
        noteCheckpoints(from: last.distance, to: next.distance, on: course, rules)
        offCourseCount = 0
        let finish = course.length - rules.finishTolerance
        if next.distance >= finish, startedAt != nil {
            finishedAt = Runner.moment(finish, between: last, next, else: next.at)
            distance = course.length
        } else if startedAt != nil {
            distance = max(distance, next.distance)
        }
        place = Place(at: next.at, distance: max(last.distance, next.distance))
    }

    /// Whoever is far enough behind the line has come over it at the speed with which they left it.
    private mutating func noteStart(
        _ next: Place, after last: Place, _ rules: RacingRules
    ) {
        guard next.distance > rules.tolerance else {
            if next.distance <= rules.startLine { line = next }
            return
        }
        let from = line ?? last
        let speed = (next.distance - from.distance) / max(0.001, (next.at - from.at) / .seconds(1))
        let before = speed > 0.1 ? from.distance / speed : 0
        let moment = from.at - .milliseconds(Int64(clamping: (before * 1_000).rounded()))
        startedAt = max(moment, start ?? moment)
    }

    /// When they were at a distance between two places.
    private static func moment(
        _ distance: Double, between last: Place, _ next: Place, else usual: Timestamp
    ) -> Timestamp {
        guard next.distance > last.distance, distance >= last.distance else { return usual }
        let part = (distance - last.distance) / (next.distance - last.distance)
        let milliseconds = Double(next.at.milliseconds - last.at.milliseconds) * min(part, 1)
        return last.at + .milliseconds(Int64(clamping: milliseconds.rounded()))
    }

    private mutating func noteSpeed(_ new: Double, over seconds: Double, _ rules: RacingRules) {
        let weight = min(1, seconds / rules.speedOver)
        speed = min(speed.map { $0 + (new - $0) * weight } ?? new, rules.maximumSpeed)
    }

    /// What lies between two places was passed, unless they were seen elsewhere meanwhile.
    private mutating func noteCheckpoints(
        from start: Double, to end: Double, on course: Course, _ rules: RacingRules
    ) {
        guard offCourseCount >= rules.offCourseFixes else { return }
        missed += course.checkpoints(
            after: start + rules.tolerance, before: end - rules.tolerance)
    }
}

/// What counts as running along a course. Lengths are in metres.
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
    /// Metres per second that nobody exceeds.
    public var maximumSpeed = 12.0
    /// Before anything is known of somebody.
    public var usualSpeed = 3.0
    /// Seconds.
    public var speedOver = 20.0
    /// One fix beside the course may be a wrong one.
    public var offCourseFixes = 2

    public init() {}
}
