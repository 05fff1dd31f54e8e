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
        // A call for help is sent first; the next fix says the same.
        guard !turn.hasCalled, let presences = state.presences[person.id] else { return }
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
            person.tracker.pauseEndedAt.map({ time > $0 }) ?? true,
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
    func beginWatching(_ person: Person, at fence: UUIDv7) throws(StoreError) {
        guard state.presences[person.id]?[fence] == nil, let row = state.fences[fence] else {
            return
        }
        var presence = GeofencePresence()
        if person.tracker.pausedUntil == nil, let fix = person.tracker.latest,
            person.tracker.pauseEndedAt.map({ fix.takenAt > $0 }) ?? true,
            now <= fix.takenAt + settings.rules.originAge
        {
            presence.begin(at: fix, row.place.circle, settings.rules)
        }
        try transaction.save(presence, of: person.id, at: fence)
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
        let news = Notice.News.placeCrossed(
            fence.place.id, name: fence.place.name, crossing, at: since)
        var told: Set<UserID> = []
        for id in (state.rulesAt[fence.place.id] ?? []).sorted() {
            guard let row = state.rules[id], row.rule.event == crossing.event,
                state.agrees(person.id, to: id), row.rule.isOn(at: since),
                try isAbout(person.id, row)
            else { continue }
            if let last = state.toldAt[id]?[person.id], now < last + Geofences.pause, now >= last {
                continue
            }
            state.toldAt[id, default: [:]][person.id] = now
            count("geofence-rules-told")
            for reader in try readers(of: row, about: person) {
                // By several rules once, and no more people than one may tell.
                guard told.count < BridgeSettings.maximumToldOfPlaces,
                    told.insert(reader.id).inserted
                else { continue }
                try areas.notices.add(news, for: reader, about: person)
                showInApp(of: reader, crossing, of: person, at: fence.place, since)
            }
            if row.rule.isOnce { try removeRule(id) }
        }
    }

    /// So often at most a rule tells something of the same person.
    private static let pause = Duration.seconds(60)

    /// Those whom the rule tells, without those who have blocked the person.
    private func readers(of row: GeofenceRuleRow, about person: Person) throws(StoreError)
        -> [Person]
    {
        let all: [Person] =
            switch row.told {
            case .maker: [memory.people[row.user]].compactMap { $0 }
            case .user(let user): [memory.people[user]].compactMap { $0 }
            case .group(let group):
                Array(
                    (memory.groups[group]?.members ?? []).filter { $0 !== person }
                        .prefix(BridgeSettings.maximumToldOfPlaces))
            }
        var readers: [Person] = []
        for reader in all where try !transaction.hasBlocked(reader.id, person.id) {
            readers.append(reader)
        }
        return readers
    }

    /// Apps show it as what it is: somebody enters or leaves a region.
    private func showInApp(
        of reader: Person, _ crossing: GeofencePresence.Crossing, of person: Person,
        at place: OwnPlace, _ since: Timestamp
    ) {
        guard reader.usesOwnTracks, reader !== person else { return }
        let topic = Topic.ownTracksMember(viewer: reader.name, person.name, suffix: "event")
        publish(
            Publication(
                topic: topics.string(topic),
                payload: OwnTracksView.transition(of: person.name, crossing, at: place, since),
                qos: .atLeastOnce))
    }

    /// Tells somebody what has become of a rule, unless they have blocked whoever it is about.
    func tell(_ reader: Person, _ news: Notice.News, of person: Person?) throws(StoreError) {
        if let person, try transaction.hasBlocked(reader.id, person.id) { return }
        try areas.notices.add(news, for: reader, about: person)
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
        try askWhoJoined()
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
        var rest = Geofences.toldInTurn
        while rest > 0, let id = state.toJudge.popFirst() {
            guard let row = state.rules[id], let due = row.dueAt, due <= now else { continue }
            rest -= 1 + (try judge(row))
        }
        if state.toJudge.isEmpty { state.reschedule() }
    }

    /// Rules that are judged and notices that follow from them, about.
    private static let toldInTurn = 100

    /// A rule that waits longer than until its next time, now that the clock has been set, waits until
    /// then. A clock that was corrected by less than an hour brings nothing back.
    private func lookBack() throws(StoreError) {
        state.isToLookBack = false
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

    /// Sees who is not there.
    ///
    /// - Returns: how many were told.
    private func judge(_ row: GeofenceRuleRow) throws(StoreError) -> Int {
        guard let due = row.dueAt, let fence = state.fences[row.geofence] else { return 0 }
        let isLate = now > due + Geofences.oldestJudgement
        let watched = isLate ? [] : state.watched(by: row.rule.id)
        var told = 0
        for user in watched {
            guard let person = memory.people[user], !isThere(person, row.geofence, by: due),
                try isAbout(user, row)
            else { continue }
            count("geofence-rules-told")
            let isOutside = state.presences[user]?[row.geofence]?.side == .outside
            let news = Notice.News.placeMissed(
                fence.place.id, name: fence.place.name, at: due,
                isKnown: isOutside && isFresh(person, Geofences.freshness))
            for reader in try readers(of: row, about: person) {
                try areas.notices.add(news, for: reader, about: person)
                told += 1
            }
        }
        // Before somebody has agreed nobody could be told.
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

    /// Whether somebody came by then, as far as was seen, and was heard of not too long ago.
    private func isThere(_ person: Person, _ fence: UUIDv7, by due: Timestamp) -> Bool {
        guard let presence = state.presences[person.id]?[fence], presence.side == .inside,
            presence.since.map({ $0 <= due }) ?? false
        else { return false }
        return isFresh(person, Geofences.longestStay)
    }

    private func isFresh(_ person: Person, _ age: Duration) -> Bool {
        guard person.tracker.pausedUntil == nil, let fix = person.tracker.latest else {
            return false
        }
        return now <= fix.takenAt + age
    }

    /// A phone at rest sends no positions; one that has been silent for longer may be anywhere.
    private static let longestStay = Duration.seconds(12 * 3_600)
    private static let freshness = Duration.seconds(900)

    /// Nobody is told of yesterday.
    private static let oldestJudgement = Duration.seconds(6 * 3_600)

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
