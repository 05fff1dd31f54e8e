import Contract
import JSON
import Numbers
import Schedules
import Store
import Tracking

/// Places of the organisation: the operator imports them, and whoever is logged in looks for them.
final class Places: AreaHandler {
    typealias State = PlacesState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["places-imported", "places-removed"]

    func perform(
        _ command: PlaceCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws(Refused) -> [UInt8]? {
        switch command {
        case .list(let query): list(query)
        case .get(let id): try show(id)
        }
    }

    // MARK: Looking for places

    private func show(_ id: Name) throws(Refused) -> [UInt8] {
        guard let entry = state.places[id] else {
            throw .problem(Problem(.unknownPlace, "There is no place with that identifier."))
        }
        return JSONWriter.object { json in
            json.key("place")
            json.object { write(entry, to: &$0, distance: nil) }
        }
    }

    private func list(_ query: PlaceQuery) -> [UInt8] {
        var page = ListPage()
        for (entry, distance, key) in found(by: query) {
            if let after = query.after, key <= after { continue }
            guard page.hasRoom else { return page.result("places") }
            page.add { json in
                json.object { self.write(entry, to: &$0, distance: distance) }
            }
            page.next = key
        }
        page.next = nil
        return page.result("places")
    }

    /// - Returns: in their order, each with where it stands in it.
    private func found(by query: PlaceQuery)
        -> [(entry: State.Entry, distance: Double?, key: String)]
    {
        let text = query.text?.lowercased()
        let meant = state.byName().filter { entry in
            if let kind = query.kind, entry.place.kind != kind { return false }
            if let text, !entry.words.contains(text) { return false }
            return !query.isOpen || openState(of: entry) == .open
        }
        guard let near = query.near else { return meant.map { ($0, nil, $0.key) } }
        return
            meant.map { entry in (entry, near.distance(to: entry.place.coordinate)) }
            .filter { $0.1 <= query.radius ?? .infinity }
            .sorted { ($0.1, $0.0.key) < ($1.1, $1.0.key) }
            .map { entry, distance in
                let millimetres = String(Int64(clamping: distance * 1_000))
                let digits = String(repeating: "0", count: max(0, 12 - millimetres.count))
                return (entry, distance, "\(digits)\(millimetres) \(entry.key)")
            }
    }

    private func openState(of entry: State.Entry) -> OpenState {
        guard let hours = entry.hours, let clock = entry.clock else {
            return .unknown
        }
        return OpenState(hours.status(at: now) { clock.offset(at: $0) })
    }

    /// When the place changes between open and closed next, as far as that is known.
    private func nextChange(of entry: State.Entry) -> Timestamp? {
        guard let hours = entry.hours, let clock = entry.clock else {
            return nil
        }
        return hours.nextChange(after: now) { clock.offset(at: $0) }?.at
    }

    private func write(_ entry: State.Entry, to json: inout JSONWriter, distance: Double?) {
        json.place(
            entry.place, openState(of: entry), nextChange: nextChange(of: entry),
            distance: distance)
    }

    // MARK: For reminders

    func place(_ id: Name) -> Place? { state.places[id]?.place }

    /// When the place opens next; nil if that is not known.
    func nextOpening(of id: Name, after moment: Timestamp) -> Timestamp? {
        guard let entry = state.places[id], let hours = entry.hours,
            let clock = entry.clock
        else { return nil }
        return hours.nextOpening(after: moment) { clock.offset(at: $0) }
    }

    /// Whether what the place says of its opening hours is understood.
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
