import Contract
import Store
import Tracking

/// Presence of people at places, inferred from positions.
extension Geofences {
    /// Ingests a person's newest fix. Fixes from a pause never count, nor reveal afterwards where
    /// the person went. A late fix notifies no one, but may show that a person is not missing.
    func moved(to fix: Fix, of person: Person) throws {
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

    /// Confirms arrivals by a single position that no other has contradicted.
    func settle() throws {
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

    /// Arrivals per turn, each of which may notify as many people as a rule can.
    private static let settledInTurn = 20

    private func isLive(_ time: Timestamp) -> Bool { now <= time + settings.rules.backfillAge }

    private func save(
        _ presence: GeofencePresence, after before: GeofencePresence, of person: Person,
        at fence: UUIDv7
    ) throws {
        guard presence != before else { return }
        try transaction.save(presence, of: person.id, at: fence)
        state.set(presence, of: person.id, at: fence)
    }

    /// Handles a phone's own report that one of its owner's places was entered or left; ignored
    /// from a phone that its owner does not carry.
    func report(
        _ side: Geofence.Side, at time: Timestamp, source: String, of person: Person,
        _ device: Device
    ) throws {
        guard person.tracker.carriedDevice.map({ $0 == device.id }) ?? true,
            !person.tracker.isPaused(at: time), time <= now + settings.rules.futureTolerance,
            let id = (state.fencesOfUser[person.id] ?? []).first(where: {
                state.fences[$0]?.source == source
            }), let fence = state.fences[id]
        else { return }
        // Even a late report may prevent a false alarm about a journey.
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

    /// Whether a newer position contradicts it.
    private func isContradicted(
        _ side: Geofence.Side, at time: Timestamp, _ circle: Geofence, _ person: Person
    ) -> Bool {
        guard let latest = person.tracker.latest, latest.takenAt > time else { return false }
        return circle.side(of: latest, settings.rules).map { $0 != side } ?? false
    }

    /// Starts tracking the person's presence, beginning with their last known position.
    func beginWatching(_ person: Person, at fence: UUIDv7) throws {
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

    func endWatching(_ user: UserID, at fence: UUIDv7) throws {
        guard !state.isWatched(user, at: fence) else { return }
        try transaction.deleteGeofencePresence(of: user, at: fence)
        state.forgetPresence(of: user, at: fence)
    }

    /// Resets the person's presence to unknown.
    func forgetPresence(of user: UserID, at fence: UUIDv7) throws {
        try transaction.save(GeofencePresence(), of: user, at: fence)
        state.set(GeofencePresence(), of: user, at: fence)
    }

    /// Resets what was inferred from positions, because some of them are deleted.
    func forgetPresences(of person: Person) throws {
        for fence in (state.presences[person.id] ?? [:]).keys.sorted() {
            try forgetPresence(of: person.id, at: fence)
        }
    }
}
