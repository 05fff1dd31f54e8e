import Contract
import DequeModule
import MQTT
import Schedules
import Store
import Tracking

/// What positions and the clock do.
extension Geofences {
    // MARK: Positions

    /// Takes the newest fix of somebody. What comes in a pause never counts, and afterwards nobody learns
    /// where the person went meanwhile.
    func receive(_ fix: Fix, of person: Person) throws(StoreError) {
        guard let presences = state.presences[person.id] else { return }
        let tracker = person.tracker
        let isPaused =
            tracker.pausedUntil != nil
            || tracker.pauseEndedAt.map { fix.takenAt <= $0 } ?? false
        guard isPaused || now <= fix.takenAt + settings.rules.backfillAge else { return }
        for (id, before) in presences.sorted(by: { $0.key < $1.key }) {
            guard let fence = state.fences[id] else { continue }
            var presence = isPaused ? GeofencePresence() : before
            let crossing =
                isPaused
                ? nil : presence.receive(fix, at: fence.place.circle, settings.rules)
            try save(presence, after: before, of: person, at: id)
            if let crossing { try tell(crossing, of: person, presence, at: fence) }
        }
    }

    private func save(
        _ presence: GeofencePresence, after before: GeofencePresence, of person: Person,
        at fence: UUIDv7
    ) throws(StoreError) {
        guard presence != before else { return }
        try transaction.save(presence, of: person.id, at: fence)
        state.set(presence, of: person.id, at: fence)
    }

    /// A phone that watches one of its owner's places itself says that it was entered or left.
    func report(_ side: Geofence.Side, at time: Timestamp, source: String, of person: Person)
        throws(StoreError)
    {
        guard person.tracker.pausedUntil == nil,
            now <= time + settings.rules.backfillAge,
            time <= now + settings.rules.futureTolerance,
            let id = (state.fencesOfUser[person.id] ?? []).first(where: {
                state.fences[$0]?.source == source
            }), let fence = state.fences[id], let before = state.presences[person.id]?[id],
            before.since.map({ $0 <= time }) ?? true
        else { return }
        var presence = before
        let crossing = presence.report(side, at: time)
        try save(presence, after: before, of: person, at: id)
        if let crossing { try tell(crossing, of: person, presence, at: fence) }
    }

    /// From now on it is looked at whether the person is there; where they are now is taken from where
    /// they were last seen.
    func beginWatching(_ person: Person, at fence: UUIDv7) throws(Refused) {
        guard state.presences[person.id]?[fence] == nil, let row = state.fences[fence] else {
            return
        }
        var presence = GeofencePresence()
        if person.tracker.pausedUntil == nil, let fix = person.tracker.latest,
            now <= fix.takenAt + settings.rules.originAge
        {
            presence.begin(at: fix, row.place.circle, settings.rules)
        }
        try stored { [presence] transaction throws(StoreError) in
            try transaction.save(presence, of: person.id, at: fence)
        }
        state.set(presence, of: person.id, at: fence)
    }

    func endWatching(_ user: UserID, at fence: UUIDv7) throws(StoreError) {
        guard !state.isWatched(user, at: fence) else { return }
        try transaction.deleteGeofencePresence(of: user, at: fence)
        state.forgetPresence(of: user, at: fence)
    }

    /// It is not known any more on which side the person is.
    func forgetPresence(of user: UserID, at fence: UUIDv7) throws(StoreError) {
        try transaction.save(GeofencePresence(), of: user, at: fence)
        state.set(GeofencePresence(), of: user, at: fence)
    }

    /// Some of the person's positions are deleted: what followed from them goes with them.
    func forgetPresences(of person: Person) throws(StoreError) {
        for fence in (state.presences[person.id] ?? [:]).keys.sorted() {
            try forgetPresence(of: person.id, at: fence)
        }
    }

    // MARK: Telling

    private func tell(
        _ crossing: GeofencePresence.Crossing, of person: Person, _ presence: GeofencePresence,
        at fence: GeofenceRow
    ) throws(StoreError) {
        let since = presence.since ?? now
        for id in (state.rulesAt[fence.place.id] ?? []).sorted() {
            guard let row = state.rules[id], row.rule.event == crossing.event,
                state.agrees(person.id, to: id), row.rule.isOn(at: since)
            else { continue }
            let telling = State.Telling(rule: id, user: person.id)
            if let last = state.toldAt[telling], now < last + Geofences.pause, now >= last {
                continue
            }
            state.toldAt[telling] = now
            try tell(
                .placeCrossed(
                    fence.place.id, name: fence.place.name, crossing, at: since),
                of: person, by: row)
            showInApps(crossing, of: person, at: fence.place, by: row, since)
            if row.rule.isOnce { try removeRule(id) }
        }
    }

    /// So often at most a rule tells something of the same person.
    private static let pause = Duration.seconds(60)

    private func tell(_ news: Notice.News, of person: Person, by row: GeofenceRuleRow)
        throws(StoreError)
    {
        guard try isAbout(person.id, row) else { return }
        count("geofence-rules-told")
        for reader in readers(of: row, about: person) {
            try areas.notices.add(news, for: reader, about: person)
        }
    }

    private func readers(of row: GeofenceRuleRow, about person: Person) -> [Person] {
        switch row.told {
        case .maker: [memory.people[row.user]].compactMap { $0 }
        case .user(let user): [memory.people[user]].compactMap { $0 }
        case .group(let group):
            Array(
                (memory.groups[group]?.members ?? []).filter { $0 !== person }
                    .prefix(BridgeSettings.maximumToldOfPlaces))
        }
    }

    /// Apps show it as what it is: somebody enters or leaves a region.
    private func showInApps(
        _ crossing: GeofencePresence.Crossing, of person: Person, at place: OwnPlace,
        by row: GeofenceRuleRow, _ since: Timestamp
    ) {
        for reader in readers(of: row, about: person)
        where reader.usesOwnTracks && reader !== person {
            let topic = Topic.ownTracksMember(viewer: reader.name, person.name, suffix: "event")
            publish(
                Publication(
                    topic: topics.string(topic),
                    payload: OwnTracksView.transition(
                        of: person.name, crossing, at: place, since),
                    qos: .atLeastOnce))
        }
    }

    // MARK: The clock

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(GeofencesState.self)
        let isUnderway = state.isToLookBack || !state.toJudge.isEmpty
        return isUnderway ? Timestamp(milliseconds: 0) : state.nextDue
    }

    func rescheduleAll() {
        state.toldAt = [:]
        state.isToLookBack = true
    }

    func finish(_ people: [Person]) throws(StoreError) {
        try prune()
        guard !turn.hasCalled else { return }
        if state.isToLookBack { try lookBack() }
        if state.toJudge.isEmpty, let next = state.nextDue, next <= now {
            // Looked for once, however many there are.
            state.toJudge = Deque(
                state.rules.values.filter { $0.dueAt.map { $0 <= now } ?? false }
                    .map(\.rule.id).sorted())
            if state.toJudge.isEmpty { state.reschedule() }
        }
        guard !state.toJudge.isEmpty else { return }
        for id in (0..<Geofences.judgedInTurn).compactMap({ _ in state.toJudge.popFirst() }) {
            if let row = state.rules[id], let due = row.dueAt, due <= now { try judge(row) }
        }
        if state.toJudge.isEmpty { state.reschedule() }
    }

    private static let judgedInTurn = 20

    /// Rules that wait longer than any may are due again from now on.
    private func lookBack() throws(StoreError) {
        state.isToLookBack = false
        let latest = now + Geofences.longestWait
        for row in state.rules.values.sorted(by: { $0.rule.id < $1.rule.id }) {
            guard let due = row.dueAt, due > latest else { continue }
            var again = row
            again.dueAt = Geofences.nextDue(of: row.rule, after: now)
            try transaction.save(again)
            state.set(again)
        }
        state.reschedule()
    }

    /// From one week's day to the next one's, and an hour of the clocks.
    private static let longestWait = Duration.seconds(8 * 86_400)

    /// Sees who is not there.
    private func judge(_ row: GeofenceRuleRow) throws(StoreError) {
        guard let due = row.dueAt, let fence = state.fences[row.geofence] else { return }
        let isLate = now > due + Geofences.oldestJudgement
        for user in isLate ? [] : state.watched(by: row.rule.id) {
            guard let person = memory.people[user] else { continue }
            let presence = state.presences[user]?[row.geofence]
            if presence?.side == .inside, presence?.since.map({ $0 <= due }) ?? false { continue }
            try tell(
                .placeMissed(
                    fence.place.id, name: fence.place.name, at: due, isKnown: isKnown(person)),
                of: person, by: row)
        }
        if row.rule.isOnce, !isLate { return try removeRule(row.rule.id) }
        var next = row
        next.dueAt = Geofences.nextDue(of: row.rule, after: max(now, due))
        try transaction.save(next)
        state.set(next)
    }

    /// Nobody is told of yesterday.
    private static let oldestJudgement = Duration.seconds(6 * 3_600)

    /// Whether it is known where somebody is.
    private func isKnown(_ person: Person) -> Bool {
        guard person.tracker.pausedUntil == nil, let fix = person.tracker.latest else {
            return false
        }
        return now <= fix.takenAt + settings.rules.originAge
    }

    /// When somebody has to be there next; nil for rules about arriving and leaving.
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

extension GeofencePresence.Crossing {
    fileprivate var event: GeofenceRule.Event {
        switch self {
        case .arrived: .arrives
        case .left: .leaves
        }
    }
}

extension GeofenceRule {
    /// Whether the rule applies on that day and at that time.
    fileprivate func isOn(at moment: Timestamp) -> Bool {
        guard let hours else { return true }
        guard let clock = ZoneClock(hours.timeZone) else { return false }
        let local = CivilDateTime(moment, offset: clock.offset)
        return hours.contains(
            weekday: local.date.weekday.rawValue, minute: local.time.seconds / 60)
    }
}
