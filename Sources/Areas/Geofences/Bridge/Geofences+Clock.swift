import Contract
import DequeModule
import Schedules
import Store
import Tracking

/// Rules about people who are not where they should be by a time.
extension Geofences {
    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(GeofencesState.self)
        let isUnderway = state.clockWasSet || !state.toJudge.isEmpty || !state.shaken.isEmpty
        return isUnderway
            ? Timestamp(milliseconds: 0)
            : [state.nextDue, state.nextSettling].compactMap { $0 }.min()
    }

    func rescheduleAll() {
        state.toldAt = [:]
        state.clockWasSet = true
    }

    func finish(_ people: [Person]) throws {
        try prune()
        guard !turn.hasCallForHelp else { return }
        if state.clockWasSet { try recheckAfterClockChange() }
        guard !turn.isCatchingUp else { return }
        try settle()
        if state.toJudge.isEmpty, let next = state.nextDue, next <= now {
            // Searched once, however many are due.
            state.toJudge = Deque(
                state.rules.values.filter { $0.dueAt.map { $0 <= now } ?? false }
                    .map(\.rule.id).sorted())
            if state.toJudge.isEmpty { state.reschedule() }
        }
        guard !state.toJudge.isEmpty else { return }
        var rest = Geofences.toldInTurn
        while rest > 0, let id = state.toJudge.popFirst() {
            guard let row = state.rules[id], let due = row.dueAt, due <= now else { continue }
            rest -= 1 + (try judge(row))
        }
        if state.toJudge.isEmpty { state.reschedule() }
    }

    /// The approximate number of rules judged and notices sent per turn.
    private static let toldInTurn = 100

    /// After the clock was set, advances rules that wait beyond their next time. A correction of
    /// less than an hour does not repeat judgements.
    private func recheckAfterClockChange() throws {
        state.clockWasSet = false
        for row in state.rules.values.sorted(by: { $0.rule.id < $1.rule.id }) {
            guard let due = row.dueAt, let next = Geofences.nextDue(of: row.rule, after: now),
                next < due
            else { continue }
            let wasJudged = Geofences.nextDue(of: row.rule, after: next) == due
            if wasJudged, next <= now + Geofences.correction { continue }
            var again = row
            again.dueAt = next
            try transaction.save(again)
            state.set(again)
        }
        state.reschedule()
    }

    private static let correction = Duration.seconds(3_600)

    /// Judges which people are missing. If others have changed the place, it is unknown whether
    /// people are where the maker means, until the maker confirms.
    ///
    /// - Returns: the number of people notified.
    private func judge(_ row: GeofenceRuleRow) throws -> Int {
        guard let due = row.dueAt, let fence = state.fences[row.geofence] else { return 0 }
        let isLate = now > due + Geofences.oldestJudgement
        let open = Set(isLate ? [] : state.open(in: row.rule.id))
        let watched = isLate ? [] : (state.watched(by: row.rule.id) + open).sorted()
        var told = 0
        for user in watched {
            let isUnknown = row.known != nil || open.contains(user)
            guard let person = memory.people[user],
                isUnknown || !isThere(person, fence, by: due), try mayReport(user, by: row)
            else { continue }
            count("geofence-rules-told")
            let isKnown = !isUnknown && isElsewhere(person, fence.place.circle)
            for reader in try readers(of: row, about: person) {
                let news = Notice.News.placeMissed(
                    fence.place.id, name: row.known?.name ?? fence.place.name, at: due,
                    isKnown: isKnown, isOwn: reader.id == row.user)
                try tellReader(reader, news, of: person)
                told += 1
            }
        }
        // A rule that no one has agreed to yet has not been used.
        if row.rule.isOnce, !watched.isEmpty {
            try removeRule(row.rule.id)
            return told
        }
        var next = row
        next.dueAt = Geofences.nextDue(of: row.rule, after: max(now, due))
        try transaction.save(next)
        state.set(next)
        return told
    }

    /// Whether the person arrived in time, as far as known, and reported recently enough. A single
    /// position in passing counts only if another follows. If nothing is known since the agreement
    /// or a pause, the last position decides.
    private func isThere(_ person: Person, _ fence: GeofenceRow, by due: Timestamp) -> Bool {
        guard var presence = state.presences[person.id]?[fence.place.id],
            isFresh(person, Geofences.longestStay)
        else { return false }
        let isKnown = presence.side == .inside
        if presence.candidate == nil, let fix = person.tracker.shown {
            presence.begin(at: fix, fence.place.circle, settings.rules)
        }
        let speed = person.tracker.latest?.speed ?? 0
        return presence.isThere(by: due) && (isKnown || speed <= settings.rules.passingSpeed)
    }

    /// Whether the newest position is fresh and clearly elsewhere.
    private func isElsewhere(_ person: Person, _ circle: Geofence) -> Bool {
        isFresh(person, Geofences.freshness)
            && person.tracker.latest.flatMap { circle.side(of: $0, settings.rules) } == .outside
    }

    private func isFresh(_ person: Person, _ age: Duration) -> Bool {
        guard person.tracker.pausedUntil == nil, let fix = person.tracker.latest else {
            return false
        }
        return now <= fix.takenAt + age
    }

    /// A phone at rest sends no positions; after a longer silence it may be anywhere.
    private static let longestStay = Duration.seconds(12 * 3_600)
    private static let freshness = Duration.seconds(900)

    /// Older judgements are skipped: they would be yesterday's news.
    private static let oldestJudgement = Duration.seconds(6 * 3_600)

    /// Returns when a person next has to be there; nil for rules about arriving and leaving.
    static func nextDue(of rule: GeofenceRule, after moment: Timestamp) -> Timestamp? {
        guard case .notThere(let minute) = rule.event, let hours = rule.hours,
            let clock = ZoneClock(hours.timeZone)
        else { return nil }
        let today = CivilDateTime(moment, offset: clock.offset).date
        return (0...8).lazy.compactMap { days -> Timestamp? in
            guard let date = today.adding(days: days), hours.days.contains(date.weekday.rawValue),
                let time = TimeOfDay(hour: minute / 60, minute: minute % 60)
            else { return nil }
            let due = CivilDateTime(date: date, time: time).timestamp(offset: clock.offset)
            return due > moment ? due : nil
        }.first
    }
}
