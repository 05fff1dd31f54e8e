import Contract
import Numbers
import Schedules
import Tracking

/// Places of the organisation: the operator imports them, and logged-in users search them.
final class Places: AreaHandler {
    typealias State = PlacesState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["places-imported", "places-removed"]

    func perform(
        _ command: PlaceCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .list(let query): list(query)
        case .get(let id): try show(id)
        }
    }

    // MARK: Search

    private func show(_ id: Name) throws -> [UInt8] {
        guard let entry = state.places[id] else {
            throw Problem(.unknownPlace, "There is no place with that identifier.")
        }
        return Place.result.bytes(of: shown(entry))
    }

    private func list(_ query: PlaceQuery) -> [UInt8] {
        let text = query.text.map { SearchText($0) }
        if let near = query.near { return page(of: places(near: near, query), query, text) }
        let rest = state.byName.after(query.after).lazy
        return page(of: rest.map { ($0.value, nil, $0.key) }, query, text)
    }

    /// A place, its distance, and its position in the list.
    private typealias Found = (entry: State.Entry, distance: Double?, key: String)

    private func page(
        of places: some Sequence<Found>, _ query: PlaceQuery, _ text: SearchText?
    ) -> [UInt8] {
        let page = turn.page(from: places, place: \.key) { found, page in
            guard isMeant(found.entry, by: query, text) else { return }
            look(at: Places.entriesOfHours)
            page.add { $0.object(Place.foundPayload, self.shown(found.entry, found.distance)) }
        }
        return page.result(Place.list)
    }

    private func isMeant(_ entry: State.Entry, by query: PlaceQuery, _ text: SearchText?) -> Bool {
        if let kind = query.kind, entry.place.kind != kind { return false }
        if let text {
            look(at: 0, bytes: entry.words.length)
            guard entry.words.contains(text) else { return false }
        }
        guard query.isOpen else { return true }
        look(at: Places.entriesOfHours)
        return openState(of: entry) == .open
    }

    /// The cost of checking whether a place is open, in list entries.
    private static let entriesOfHours = 20

    /// Returns places behind the end of the previous page, the nearest first.
    private func places(near: Coordinate, _ query: PlaceQuery) -> some Sequence<Found> {
        let all = look(through: state.byName.entries)
        let last = query.after.flatMap { Int64($0.prefix { $0 != " " }) }
        return NearestFirst(
            to: near, all.lazy.map(\.value.direction), from: last ?? 0,
            atMost: query.radius ?? .infinity
        ) { all[$0].value.place.coordinate }
        .lazy.map { found -> Found in
            let millimetres = String(found.millimetres)
            let zeros = String(repeating: "0", count: max(0, 12 - millimetres.count))
            let entry = all[found.index].value
            return (entry, found.distance, "\(zeros)\(millimetres) \(entry.key)")
        }
        .filter { found in query.after.map { found.key > $0 } ?? true }
    }

    private func openState(of entry: State.Entry) -> OpenState {
        guard let hours = entry.hours, let clock = entry.clock else {
            return .unknown
        }
        return OpenState(hours.status(at: now) { clock.offset(at: $0) })
    }

    /// Returns when the place next opens or closes, as far as known.
    private func nextChange(of entry: State.Entry) -> Timestamp? {
        guard let hours = entry.hours, let clock = entry.clock else {
            return nil
        }
        return hours.nextChange(after: now) { clock.offset(at: $0) }?.at
    }

    private func shown(_ entry: State.Entry, _ distance: Double? = nil) -> Place.Found {
        (entry.place, openState(of: entry), nextChange(of: entry), distance)
    }

    // MARK: For reminders

    func place(_ id: Name) -> Place? { state.places[id]?.place }

    /// Returns when the place next opens; nil if unknown.
    func nextOpening(of id: Name, after moment: Timestamp) -> Timestamp? {
        guard let entry = state.places[id], let hours = entry.hours,
            let clock = entry.clock
        else { return nil }
        return hours.nextOpening(after: moment) { clock.offset(at: $0) }
    }

    /// Whether the place's opening hours are understood.
    func knowsOpening(of id: Name) -> Bool { state.places[id]?.hours != nil }

    // MARK: Retained

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.place, let names) = topic, let id = names.place else { return nil }
        return memory.state(PlacesState.self).places[id] != nil
    }

    static func retainedOfNobody(_ memory: Memory) -> [Topic] {
        memory.state(PlacesState.self).places.keys.sorted().map { .place($0) }
    }

    static func payload(on topic: Topic, _ memory: Memory) -> [UInt8]? {
        guard case .listed(.place, let names) = topic, let id = names.place else { return nil }
        return memory.state(PlacesState.self).places[id]?.place.payload
    }
}

extension OpenState {
    fileprivate init(_ status: OpeningHours.Status) {
        self =
            switch status {
            case .open: .open
            case .closed: .closed
            case .unknown: .unknown
            }
    }
}
