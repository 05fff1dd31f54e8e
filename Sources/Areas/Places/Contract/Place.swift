internal import Numbers
public import Tracking

/// A place of the organisation, such as a library or a canteen, as every logged-in user sees it.
public struct Place: Hashable, Sendable {
    /// The identifier, which is the same in each import of the place.
    public let id: Name
    /// The operator's name for its import.
    public let source: Source
    public let name: String
    /// Its type in one word, as in OpenStreetMap: `restaurant`.
    public let kind: String?
    public let coordinate: Coordinate
    public let description: String?
    public let address: String?
    /// The text as written; `Schedules.OpeningHours` interprets as much of it as possible.
    public let openingHours: String?
    public let phone: String?
    /// An http or https address.
    public let website: String?
    /// The time zone of its opening hours: `Europe/Rome`.
    public let timeZone: String

    public typealias Source = Name

    /// Characters.
    public static let longestName = 120
    static let longestKind = 40
    static let longestDescription = 500
    static let longestAddress = 200
    static let longestOpeningHours = 255
    static let longestPhone = 80
    static let longestWebsite = 500

    public init(
        id: Name, source: Source, name: String, kind: String?, coordinate: Coordinate,
        description: String?, address: String?, openingHours: String?, phone: String?,
        website: String?, timeZone: String
    ) {
        (self.id, self.source, self.name, self.kind) = (id, source, name, kind)
        (self.coordinate, self.description, self.address) = (coordinate, description, address)
        (self.openingHours, self.phone, self.website) = (openingHours, phone, website)
        self.timeZone = timeZone
    }

    /// Without what depends on the time.
    public static let payload = Payload<Place>(
        "Place",
        .init("place", .name) { $0.id },
        .init("name", .text) { $0.name },
        .init("kind", .text) { $0.kind },
        .coordinate { $0.coordinate },
        .init("description", .text) { $0.description },
        .init("address", .text) { $0.address },
        .init("openingHours", .text) { $0.openingHours },
        .init("phone", .text) { $0.phone },
        .init("website", .text) { $0.website },
        .init("timeZone", .text(as: .timeZone)) { $0.timeZone })

    /// A place at a moment.
    ///
    /// - `nextChange`: when it next opens or closes, as far as known.
    /// - `distance`: from the searching user, in metres; nil outside of a search.
    public typealias Found = (
        place: Place, state: OpenState, nextChange: Timestamp?, distance: Double?
    )

    private static let currentPayload = Payload<Found>(
        .members(of: payload) { $0.place },
        .init("state", .choice) { $0.state },
        .init("nextChange", .time) { $0.nextChange })

    /// Of `place.get`.
    public static let result = Payload<Found>(.init("place", .object(currentPayload)) { $0 })

    public static let foundPayload = Payload<Found>(
        .members(of: currentPayload) { $0 },
        .init("distance", .count) { $0.distance.map { Int(clamping: $0.rounded()) } })

    /// Of `place.list`.
    public static let list = Payload.page("places", of: foundPayload)

    /// The payload as retained on its topic.
    public var payload: [UInt8] { Place.payload.bytes(of: self) }
}

extension Fields {
    /// Reads the members of ``Place/payload``, and `source`.
    public mutating func place() -> Place? {
        let (id, source) = (name("place"), name("source"))
        let title = line("name", atMost: Place.longestName)
        let coordinate = coordinate()
        let kind = line(ifPresent: "kind", atMost: Place.longestKind)
        let description = line(ifPresent: "description", atMost: Place.longestDescription)
        let address = line(ifPresent: "address", atMost: Place.longestAddress)
        let hours = line(ifPresent: "openingHours", atMost: Place.longestOpeningHours)
        let phone = line(ifPresent: "phone", atMost: Place.longestPhone)
        let website = line(ifPresent: "website", atMost: Place.longestWebsite)
        let zone = timeZone("timeZone")
        guard let id, let source, let title, let coordinate, let zone else { return nil }
        return Place(
            id: id, source: source, name: title, kind: kind, coordinate: coordinate,
            description: description, address: address, openingHours: hours, phone: phone,
            website: website, timeZone: zone)
    }

    /// Reads the name of a time zone, such as `Europe/Zurich`. Whether it exists is not checked
    /// here.
    mutating func timeZone(_ field: String) -> String? {
        guard let name = string(field) else { return nil }
        guard QuietHours.isName(name) else {
            refuse(field, "is not a time zone name")
            return nil
        }
        return name
    }
}
