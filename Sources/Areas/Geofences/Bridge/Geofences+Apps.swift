import Contract
import Store
import Tracking

/// The regions of OwnTracks apps.
extension Geofences {
    /// Makes them places of the person, or changes those that they are already.
    func take(_ waypoints: [OwnTracksMessage.Waypoint], of person: Person) throws(Refused) {
        for waypoint in waypoints {
            let known = (state.fencesOfUser[person.id] ?? []).lazy
                .compactMap { self.state.fences[$0] }
                .first { $0.source == waypoint.source }
            guard var row = known else {
                let count = state.fencesOfUser[person.id]?.count ?? 0
                guard count < BridgeSettings.maximumGeofences else {
                    let limit = BridgeSettings.maximumGeofences
                    throw .problem(Problem(.tooMany, "A user may have at most \(limit) places."))
                }
                let place = OwnPlace(
                    id: newID(), name: waypoint.name, kind: .other, circle: waypoint.circle)
                _ = try save(
                    GeofenceRow(place, of: person.id, group: nil, source: waypoint.source),
                    of: person)
                continue
            }
            guard row.place.name != waypoint.name || row.place.circle != waypoint.circle else {
                continue
            }
            let isMoved = row.place.circle != waypoint.circle
            (row.place.name, row.place.circle) = (waypoint.name, waypoint.circle)
            _ = try save(row, of: person)
            if isMoved { try moved(row, by: person) }
        }
    }
}
