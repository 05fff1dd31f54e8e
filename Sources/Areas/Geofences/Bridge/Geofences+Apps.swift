import Contract
import Store
import Tracking

/// The regions of OwnTracks apps.
extension Geofences {
    /// Creates places of the person from the regions, or changes their existing places.
    func take(_ waypoints: [OwnTracksMessage.Waypoint], of person: Person) throws {
        // The last one of each wins.
        let last = Dictionary(waypoints.map { ($0.source, $0) }) { $1 }
        for waypoint in last.values.sorted(by: { $0.source < $1.source })
            .prefix(BridgeSettings.maximumGeofences)
        {
            guard person.usage.admits(.changes, at: now) else {
                throw turn.problem(ofUsedUp: .changes)
            }
            guard var row = known(waypoint, of: person) else {
                let count = state.fencesOfUser[person.id]?.count ?? 0
                guard count < BridgeSettings.maximumGeofences else {
                    let limit = BridgeSettings.maximumGeofences
                    throw Problem(.tooMany, "A user may have at most \(limit) places.")
                }
                let place = OwnPlace(
                    id: newID(), name: waypoint.name, kind: .other, circle: waypoint.circle)
                _ = try save(
                    GeofenceRow(place, of: person.id, group: nil, source: waypoint.source),
                    of: person)
                continue
            }
            let before = row
            row.source = waypoint.source
            (row.place.name, row.place.circle) = (waypoint.name, waypoint.circle)
            guard row != before else { continue }
            _ = try save(row, of: person)
            try changed(row, from: before.place, by: person)
        }
    }

    /// Returns the place of the region: the one created from it, or an equal one without an app.
    private func known(_ waypoint: OwnTracksMessage.Waypoint, of person: Person) -> GeofenceRow? {
        let own = (state.fencesOfUser[person.id] ?? []).sorted().compactMap { state.fences[$0] }
        return own.first { $0.source == waypoint.source }
            ?? own.first {
                $0.source == nil && $0.place.name == waypoint.name
                    && $0.place.circle == waypoint.circle
            }
    }
}
