internal import Numbers
import Tracking

/// Updates a runner for a new place.
extension Runner {
    mutating func move(to next: Place, on course: Course, _ rules: RacingRules) {
        guard let last = place else { return }
        let seconds = (next.at - last.at) / .seconds(1)
        if seconds > 0 {
            noteVelocity((next.distance - last.distance) / seconds, over: seconds, rules)
        }
        if startedAt == nil { noteStart(next, after: last, rules) }
        noteCheckpoints(
            from: max(last.distance, distance), to: next.distance, on: course, rules)
        offCourseCount = 0
        let finish = course.length - rules.finishTolerance
        if next.distance >= finish, startedAt != nil {
            finishedAt = Runner.moment(finish, between: last, next, else: next.at)
            distance = course.length
        } else if startedAt != nil {
            distance = max(distance, next.distance)
        }
        place = next
    }

    /// A runner who is far enough beyond the line has crossed it at the speed at which they left
    /// it.
    private mutating func noteStart(_ next: Place, after last: Place, _ rules: RacingRules) {
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

    /// Returns when they were at a distance between two places.
    private static func moment(
        _ distance: Double, between last: Place, _ next: Place, else usual: Timestamp
    ) -> Timestamp {
        guard next.distance > last.distance, distance >= last.distance else { return usual }
        let part = (distance - last.distance) / (next.distance - last.distance)
        let milliseconds = Double(next.at.milliseconds - last.at.milliseconds) * min(part, 1)
        return last.at + .milliseconds(Int64(clamping: milliseconds.rounded()))
    }

    private mutating func noteVelocity(
        _ new: Double, over seconds: Double, _ rules: RacingRules
    ) {
        let weight = min(1, seconds / rules.speedOver)
        let next = velocity.map { $0 + (new - $0) * weight } ?? new
        velocity = max(-rules.maximumSpeed, min(next, rules.maximumSpeed))
    }

    /// Checkpoints between two places were passed, unless the runner was seen elsewhere meanwhile.
    private mutating func noteCheckpoints(
        from start: Double, to end: Double, on course: Course, _ rules: RacingRules
    ) {
        guard offCourseCount >= rules.offCourseFixes else { return }
        missed += course.checkpoints(
            after: start + rules.tolerance, before: end - rules.tolerance)
    }
}
