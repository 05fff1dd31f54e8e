public import Contract
internal import Tracking

extension Place {
    fileprivate static let record = Record<Place>(
        "places", Column("id", .name, \.id), Column("source", .name, \.source),
        Column("name", .text, \.name), Column("kind", .null(or: .text), \.kind),
        Column("latitude_e7", "longitude_e7", type: .coordinate, \.coordinate),
        Column("description", .null(or: .text), \.description),
        Column("address", .null(or: .text), \.address),
        Column("opening_hours", .null(or: .text), \.openingHours),
        Column("phone", .null(or: .text), \.phone),
        Column("website", .null(or: .text), \.website),
        Column("time_zone", .text, \.timeZone), make: Place.init)
}

extension Transaction {
    /// Returns all places of the organisation.
    public func places() throws(StoreError) -> [Place] { try rows(Place.record, "ORDER BY id") }

    public func save(_ place: Place) throws(StoreError) { try save(place, Place.record) }

    public func deletePlace(_ id: Name) throws(StoreError) {
        try driver.execute("DELETE FROM places WHERE id = ?", [.text(id.text)])
    }
}
