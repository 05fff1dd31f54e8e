import Tracking

/// Chooses among the places on the course that a fix may stand for.
///
/// Runners are where they can have come from where they were: also back, since a course may end
/// where it begins, or return the same way. They are somewhere farther ahead once they continue
/// from there.
extension Runner {
    /// A place where the runner may be, if not where they were.
    struct Rival: Hashable, Sendable {
        /// The first fix there, the least far one, and the last one.
        let first: Place
        var least: Place
        var last: Place
        /// Whether the place is ahead, or else behind where they were.
        let isAhead: Bool
        /// Whether they can have got there in time.
        let isInTime: Bool
        /// How far they have to continue before that is believed, in metres.
        let confirmation: Double
        /// Where else they were then, if that is as good an explanation; nil if it is not.
        let alternative: Double?
    }

    /// - Parameter sight: with at least one place.
    mutating func follow(_ sight: Sight, on course: Course, _ rules: RacingRules) {
        guard place != nil else { return begin(sight, on: course, rules) }
        let next = next(sight, on: course, rules)
        let others = sight.matches.filter { $0 != next }
        if goOn(with: others, or: next, sight, on: course, rules) { return }
        if let next { move(to: Place(at: sight.at, distance: next.distance), on: course, rules) }
    }

    /// Handles a runner's first sighting since the start.
    private mutating func begin(_ sight: Sight, on course: Course, _ rules: RacingRules) {
        let next = sight.mostLikely(sight.matches)
        if let next, next.distance <= rules.startZone {
            place = Place(at: sight.at, distance: next.distance)
            line = place
        } else if let next, !course.isClosed {
            beginOnTheWay()
            move(to: Place(at: sight.at, distance: next.distance), on: course, rules)
        } else {
            _ = goOn(with: sight.matches, or: nil, sight, on: course, rules)
        }
    }

    /// Begins with a runner who has been somewhere on the way since the start.
    private mutating func beginOnTheWay() {
        guard place == nil, let start else { return }
        startedAt = start
        place = Place(at: start, distance: 0)
    }

    /// - Returns: the place reached from where they were; nil if there is none.
    private func next(_ sight: Sight, on course: Course, _ rules: RacingRules) -> Course.Match? {
        let room = rules.tolerance + sight.fastest * sight.quiet
        let near = sight.matches.filter { abs($0.distance - sight.origin.distance) <= room }
        // The way run in a silence is unknown: the shortest one counts.
        let next =
            sight.isSilence
            ? near.min {
                abs($0.distance - sight.origin.distance) < abs($1.distance - sight.origin.distance)
            } : sight.mostLikely(near)
        guard let next, course.isClosed else { return next }
        // Most of a lap is not run between two fixes, unless that is usual.
        let most = max(course.lapLength / 2, sight.isSilence ? 0 : sight.usual * sight.quiet * 1.5)
        return next.distance - sight.origin.distance > most
            ? near.min { $0.distance < $1.distance }.flatMap { $0 == next ? nil : $0 } : next
    }

    // MARK: Somewhere else

    /// Handles the other places that a fix may stand for.
    ///
    /// - Parameter next: the place where they are otherwise.
    /// - Returns: whether they are at a place where they were not seen before.
    private mutating func goOn(
        with others: [Course.Match], or next: Course.Match?, _ sight: Sight, on course: Course,
        _ rules: RacingRules
    ) -> Bool {
        guard var known = rival, !known.isAhead || known.last.distance > sight.origin.distance,
            let further = known.further(in: others, sight, rules)
        else {
            rival = rival(in: others, or: next, sight, on: course, rules)
            return false
        }
        let there = Place(at: sight.at, distance: further.distance)
        let last = known.last
        known.last = there
        if there.distance < known.least.distance { known.least = there }
        rival = known
        if known.isAhead, there.distance < known.first.distance - rules.tolerance {
            // They run in the opposite direction there.
            rival = nil
            offCourseCount += 1
            return false
        }
        guard !known.isAhead || isConfirmed(known, next, sight, on: course, rules) else {
            return false
        }
        beginOnTheWay()
        rival = nil
        if known.isAhead, !known.isInTime {
            offCourseCount = max(offCourseCount, rules.offCourseFixes)
        }
        for place in [known.least, last, there] where place.at > self.place?.at ?? place.at {
            if !hasFinished { move(to: place, on: course, rules) }
        }
        return true
    }

    private func isConfirmed(
        _ rival: Rival, _ next: Course.Match?, _ sight: Sight, on course: Course,
        _ rules: RacingRules
    ) -> Bool {
        var gain = rival.last.distance - rival.least.distance
        if let alternative = rival.alternative, let next {
            // While both are possible, they are either going back, or at the rival place.
            let back = alternative - next.distance
            guard back >= rules.confirmation / 3, gain >= back / 2 else { return false }
            gain += back
        }
        guard gain >= rival.confirmation else { return false }
        return rival.isInTime
            || !course.checkpoints(
                after: sight.origin.distance + rules.tolerance,
                before: rival.least.distance - rules.tolerance
            ).isEmpty
    }

    /// Returns the place where they may be instead.
    private func rival(
        in others: [Course.Match], or next: Course.Match?, _ sight: Sight, on course: Course,
        _ rules: RacingRules
    ) -> Rival? {
        let origin = sight.origin.distance
        let ahead = others.filter { $0.distance > max(origin, next?.distance ?? origin) }
            .min { $0.distance < $1.distance }
        let behind = next == nil ? others.last { $0.distance < origin } : nil
        guard let match = ahead ?? behind else { return nil }
        let place = Place(at: sight.at, distance: match.distance)
        let isSeen = offCourseCount >= rules.offCourseFixes
        let speed =
            next != nil
            ? sight.fastest * 0.75
            : isSeen || course.isClosed ? sight.fastest : rules.maximumSpeed
        let isInTime = match.distance - origin <= 2 * sight.limit + speed * sight.since
        let isFar = course.isClosed && match.distance - origin > course.lapLength / 2
        let alternative = next.flatMap {
            sight.isSilence && $0.distance < origin - sight.limit ? nil : $0.distance
        }
        // If they may have stood still, or continued as before, a jump has to be likely.
        if next != nil,
            !isInTime || sight.isLongSilence
                || isFar && alternative != nil && !sight.isSilence
        {
            return nil
        }
        return Rival(
            first: place, least: place, last: place, isAhead: ahead != nil, isInTime: isInTime,
            confirmation: isFar && sight.isLongSilence ? course.lapLength / 4 : rules.confirmation,
            alternative: alternative)
    }
}

extension Runner.Rival {
    /// Returns the place reached from there.
    fileprivate func further(
        in matches: [Course.Match], _ sight: Runner.Sight, _ rules: RacingRules
    ) -> Course.Match? {
        let seconds = (sight.at - last.at) / .seconds(1)
        let expected = last.distance + sight.usual * seconds
        return matches.filter {
            abs($0.distance - last.distance) <= rules.tolerance + sight.fastest * seconds
        }.min { abs($0.distance - expected) < abs($1.distance - expected) }
    }
}

extension Runner.Sight {
    /// Returns the most likely place: near to the line, and to where they would be at their usual
    /// speed.
    func mostLikely(_ matches: [Course.Match]) -> Course.Match? {
        let expected = origin.distance + usual * since
        let width = limit + usual * since / 2
        func cost(_ match: Course.Match) -> Double {
            let (across, along) = (match.offset / limit, (match.distance - expected) / width)
            return across * across + along * along
        }
        return matches.min { cost($0) < cost($1) }
    }
}
