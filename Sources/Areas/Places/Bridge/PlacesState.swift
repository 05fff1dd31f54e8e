import Contract
import Schedules
import Store
import Tracking

/// All places of the organisation.
final class PlacesState: AreaState {
    private(set) var places: [Name: Entry] = [:]
    /// By name; made when it is needed.
    private var ordered: [Entry]?

    struct Entry {
        let place: Place
        /// Nil if it says nothing that is understood.
        let hours: OpeningHours?
        /// Nil if there is no such zone any more.
        let clock: ZoneClock?
        /// By name, and distinct.
        let key: String
        /// What a search looks into.
        let words: String

        init(_ place: Place) {
            self.place = place
            hours = place.openingHours.flatMap { OpeningHours($0) }
            clock = ZoneClock(place.timeZone)
            key = "\(place.name.lowercased()) \(place.id)"
            words = [place.name, place.kind, place.description, place.address]
                .compactMap { $0?.lowercased() }.joined(separator: "\n")
        }
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        for place in try transaction.places() { places[place.id] = Entry(place) }
    }

    func set(_ place: Place) {
        places[place.id] = Entry(place)
        ordered = nil
    }

    func remove(_ id: Name) {
        places[id] = nil
        ordered = nil
    }

    func byName() -> [Entry] {
        if let ordered { return ordered }
        let made = places.values.sorted { $0.key < $1.key }
        ordered = made
        return made
    }
}
