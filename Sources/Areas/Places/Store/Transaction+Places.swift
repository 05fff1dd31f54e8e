public import Contract
internal import Tracking

extension Transaction {
    private static let placeColumns = """
        id, source, name, kind, latitude_e7, longitude_e7, description, address, opening_hours,
        phone, website, time_zone
        """

    /// All places of the organisation.
    public func places() throws(StoreError) -> [Place] {
        try all("SELECT \(Transaction.placeColumns) FROM places ORDER BY id", []) {
            row throws(StoreError) in
            guard let id = Name(try row.text(0)), let source = Name(try row.text(1)),
                let coordinate = Coordinate(
                    latitudeE7: try row.integer(4), longitudeE7: try row.integer(5))
            else { throw .damagedDocument }
            return Place(
                id: id, source: source, name: try row.text(2), kind: try row.optionalText(3),
                coordinate: coordinate, description: try row.optionalText(6),
                address: try row.optionalText(7), openingHours: try row.optionalText(8),
                phone: try row.optionalText(9), website: try row.optionalText(10),
                timeZone: try row.text(11))
        }
    }

    public func save(_ place: Place) throws(StoreError) {
        func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
        try driver.execute(
            """
            INSERT INTO places (\(Transaction.placeColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET source = excluded.source, name = excluded.name,
                kind = excluded.kind, latitude_e7 = excluded.latitude_e7,
                longitude_e7 = excluded.longitude_e7, description = excluded.description,
                address = excluded.address, opening_hours = excluded.opening_hours,
                phone = excluded.phone, website = excluded.website,
                time_zone = excluded.time_zone
            """,
            [
                .text(place.id.text), .text(place.source.text), .text(place.name),
                text(place.kind), .integer(Int64(place.coordinate.latitudeE7)),
                .integer(Int64(place.coordinate.longitudeE7)), text(place.description),
                text(place.address), text(place.openingHours), text(place.phone),
                text(place.website), .text(place.timeZone),
            ])
    }

    public func deletePlace(_ id: Name) throws(StoreError) {
        try driver.execute("DELETE FROM places WHERE id = ?", [.text(id.text)])
    }
}
