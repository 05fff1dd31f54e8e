import Contract
import Store
import Tracking

/// What positions say of where people are.
extension Geofences {
    /// Takes the newest fix of somebody. What comes in a pause never counts, and afterwards nobody learns
    /// where the person went meanwhile. A late one tells nobody, but may show that a person is not missing.
    func receive(_ fix: Fix, of person: Person) throws(StoreError) {
        guard let presences = state.presences[person.id] else { return }
        let isPaused = person.tracker.isPaused(at: fix.takenAt)
        let isLive = isLive(fix.takenAt)
        for (id, before) in presences.sorted(by: { $0.key < $1.key }) {
            guard let fence = state.fences[id] else { continue }
            var presence = isPaused ? GeofencePresence() : before
            var crossing: GeofencePresence.Crossing?
            if isLive, !isPaused {
                var moved = presence
                crossing = moved.receive(fix, at: fence.place.circle, settings.rules)
                if crossing != nil, turn.hasCallForHelp {
                    // A call for help is sent first.
                    presence.confirm()
                    crossing = nil
                } else {
                    presence = moved
                }
            } else if !isPaused, let side = fence.place.circle.side(of: fix, settings.rules) {
                presence.note(late: side, at: fix.takenAt)
            }
            try save(presence, after: before, of: person, at: id)
            if let crossing { try tell(crossing, of: person, presence, at: fence) }
        }
    }

    /// Somebody has arrived by a single position that nothing has contradicted.
    func settle() throws(StoreError) {
        for visit in state.settled(by: now, atMost: Geofences.settledInTurn) {
            guard let person = memory.people[visit.user], let fence = state.fences[visit.fence],
                let before = state.presences[visit.user]?[visit.fence]
            else { continue }
            var presence = before
            let crossing = presence.settle(at: now)
            try save(presence, after: before, of: person, at: visit.fence)
            if let crossing { try tell(crossing, of: person, presence, at: fence) }
        }
    }

    /// Each may notify as many as one rule may.
    private static let settledInTurn = 20

    private func isLive(_ time: Timestamp) -> Bool { now <= time + settings.rules.backfillAge }

    private func save(
        _ presence: GeofencePresence, after before: GeofencePresence, of person: Person,
        at fence: UUIDv7
    ) throws(StoreError) {
        guard presence != before else { return }
        try transaction.save(presence, of: person.id, at: fence)
        state.set(presence, of: person.id, at: fence)
    }

    /// A phone that watches one of its owner's places itself says that it was entered or left: of one
    /// that its owner does not have on them it says nothing.
    func report(
        _ side: Geofence.Side, at time: Timestamp, source: String, of person: Person,
        _ device: Device
    ) throws(StoreError) {
        guard person.tracker.carriedDevice.map({ $0 == device.id }) ?? true,
            !person.tracker.isPaused(at: time), time <= now + settings.rules.futureTolerance,
            let id = (state.fencesOfUser[person.id] ?? []).first(where: {
                state.fences[$0]?.source == source
            }), let fence = state.fences[id]
        else { return }
        // However late it comes, it may prevent a false alarm about a journey.
        let crossed = Crossing(fence.place.circle, to: side, at: time)
        try turn.apply(
            person.tracker.note(crossed, from: device.id, at: now, settings.rules), to: person)
        guard let before = state.presences[person.id]?[id],
            before.since.map({ $0 <= time }) ?? true
        else { return }
        var presence = before
        var crossing: GeofencePresence.Crossing?
        if isLive(time) {
            crossing = presence.report(side, at: time)
        } else if !isContradicted(side, at: time, fence.place.circle, person) {
            presence.note(late: side, at: time)
        }
        try save(presence, after: before, of: person, at: id)
        if let crossing { try tell(crossing, of: person, presence, at: fence) }
    }

    /// Whether a newer position says otherwise.
    private func isContradicted(
        _ side: Geofence.Side, at time: Timestamp, _ circle: Geofence, _ person: Person
    ) -> Bool {
        guard let latest = person.tracker.latest, latest.takenAt > time else { return false }
        return circle.side(of: latest, settings.rules).map { $0 != side } ?? false
    }

    /// From now on it is looked at whether the person is there; where they are now is taken from where
    /// they were last seen.
    func beginWatching(_ person: Person, at fence: UUIDv7) throws(StoreError) {
        guard state.presences[person.id]?[fence] == nil, let row = state.fences[fence] else {
            return
        }
        var presence = GeofencePresence()
        if let fix = person.tracker.latest, !person.tracker.isPaused(at: fix.takenAt),
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
}
