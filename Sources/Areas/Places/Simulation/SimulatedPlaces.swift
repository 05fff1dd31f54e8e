import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// An operator who imports and removes places, and people who search for them.
///
/// Everyone sees the places that are on disk, and no others.
final class SimulatedPlaces: SimulatedArea {
    unowned let world: World
    /// The retained payload of each place.
    private var shown: [Name: [UInt8]] = [:]

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("places", description) }

    /// Returns the identifier of a possible place.
    static func id(_ number: Int) -> Name {
        guard let name = Name("place\(number)") else { preconditionFailure("it is a name") }
        return name
    }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(1, "place.list") { phone in
                phone.world.chance.happens(50)
                    ? #""near":{"latitude":46,"longitude":14.5},"radius":5000"#
                    : #""text":"place""#
            },
            Ask(1, "place.get") { phone in
                #""place":"\#(id(phone.world.chance.number(1...4)))""#
            },
        ]
    }

    var events: [(weight: Int, choice: () throws -> Void)] { [(1, { try self.intervene() })] }

    private func intervene() throws {
        let (chance, id) = (world.chance, SimulatedPlaces.id(world.chance.number(1...4)))
        guard !chance.happens(20) else { return try world.operate(.removePlaces([id])) }
        guard
            let centre = Coordinate(
                latitudeE7: Int64(460_000_000 + chance.number(0...3_000) * 90),
                longitudeE7: 145_000_000)
        else { return }
        let minute = chance.number(0...59)
        let place = Place(
            id: id, source: id, name: "Place", kind: "cafe", coordinate: centre,
            description: nil, address: nil,
            openingHours:
                "Mo-Su \(minute < 30 ? "08" : "09"):\(minute < 10 ? "0" : "")\(minute)-20:00",
            phone: nil, website: nil, timeZone: "Europe/Ljubljana")
        try world.operate(.importPlaces([place]))
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(filters: ["kith/places/#"], topics: ["kith/places/place1"])
    }

    static var adversaryAsks: [Ask<Adversary>] { [Ask(1, "place.list")] }

    // MARK: Oracles

    func published(_ message: Message, on topic: Topic) {
        guard case .listed(.place, let names) = topic, let id = names.place else { return }
        shown[id] = message.payload.isEmpty ? nil : message.payload
    }

    func checkRest() throws {
        let stored = world.oracles.read { try $0.places() }
        guard let stored else { return }
        for place in stored where shown[place.id] != place.payload {
            fail("\(place.id) is shown as another than it is")
        }
        for id in shown.keys where !stored.contains(where: { $0.id == id }) {
            fail("\(id) is gone, and shown")
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.places().map { "place \($0)" }
    }

    static var canaries: [Canary] { [forgetPlace] }

    /// Bug: an imported place is not stored.
    private static var forgetPlace: Canary {
        Canary("forgetPlace", foundBy: "places", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO places") ? .skipped : nil
        }
    }
}
