import Contract
import Schedules
import Store
import Tracking

/// All places of the organisation.
final class PlacesState: AreaState {
    private(set) var places: [Name: Entry] = [:]
    /// The places by name.
    private(set) var byName = SortedList<String, Entry>()

    struct Entry {
        let place: Place
        /// Nil if they are absent or not understood.
        let hours: OpeningHours?
        /// Nil if the zone no longer exists.
        let clock: ZoneClock?
        /// A distinct key that sorts by name.
        let key: String
        /// The text to search.
        let words: SearchText
        let direction: NearestFirst.Direction

        init(_ place: Place) {
            self.place = place
            hours = place.openingHours.flatMap { OpeningHours($0) }
            clock = ZoneClock(place.timeZone)
            key = "\(place.name.lowercased()) \(place.id)"
            direction = NearestFirst.Direction(place.coordinate)
            words = SearchText([place.name, place.kind, place.description, place.address])
        }
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for place in try transaction.places() { places[place.id] = Entry(place) }
        byName = SortedList(places.values.map { ($0.key, $0) })
    }

    func set(_ place: Place) {
        remove(place.id)
        let entry = Entry(place)
        places[place.id] = entry
        byName.set(entry.key, entry)
    }

    func remove(_ id: Name) {
        if let old = places.removeValue(forKey: id) { byName.remove(old.key) }
    }
}
