import Contract
import JSON
import Store
import Tracking

/// The operator's imports and removals.
extension Places {
    func perform(_ command: PlaceOperatorCommand) throws -> [UInt8] {
        switch command {
        case .import(let places): try take(places)
        case .remove(let ids): try remove(ids)
        }
    }

    /// Ingests a part of an import. Existing places are updated where they differ.
    private func take(_ places: [Place]) throws -> [UInt8] {
        var (created, changed) = (0, 0)
        for place in places {
            guard ZoneClock(place.timeZone) != nil else {
                throw Problem(invalid: [.init(field: "timeZone", reason: "is not a time zone name")]
                )
            }
            let old = state.places[place.id]?.place
            guard old != place else { continue }
            if old == nil {
                guard state.places.count < BridgeSettings.maximumPlaces else {
                    let limit = BridgeSettings.maximumPlaces
                    throw Problem(.tooMany, "At most \(limit) places are allowed.")
                }
                created += 1
            } else {
                changed += 1
            }
            try transaction.save(place)
            state.set(place)
            retain(.place(place.id), place.payload)
            if old?.openingHours != place.openingHours || old?.timeZone != place.timeZone {
                for area in areas.all { try area.openingHoursChanged(of: place.id) }
            }
        }
        count("places-imported", created + changed)
        return JSONWriter.object { json in
            json.key("created")
            json.number(created)
            json.key("changed")
            json.number(changed)
            json.key("unchanged")
            json.number(places.count - created - changed)
        }
    }

    /// Removes places of an earlier import.
    ///
    /// - Parameter ids: the places that the import no longer contains.
    private func remove(_ ids: [Name]) throws -> [UInt8] {
        var removed = 0
        for id in ids where state.places[id] != nil {
            try transaction.deletePlace(id)
            state.remove(id)
            retain(.place(id), [])
            for area in areas.all { try area.openingHoursChanged(of: id) }
            removed += 1
        }
        count("places-removed", removed)
        return JSONWriter.object { json in
            json.key("removed")
            json.number(removed)
        }
    }
}
