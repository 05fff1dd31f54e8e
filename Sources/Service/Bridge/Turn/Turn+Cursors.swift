import Contract
import Sealing
import Store

/// Cursors for clients: where the next page of a list begins.
extension Turn {
    /// - Returns: nil at the end.
    func cursor(_ place: (some LosslessStringConvertible)?, for person: Person) throws -> String? {
        guard let place else { return nil }
        return try cursorKey().seal(place.description, for: person.name.text)
    }

    /// - Parameters:
    ///   - field: the request's field with the cursor.
    ///   - person: the person who returns it.
    /// - Returns: nil without a cursor.
    /// - Throws: `invalid` if the service did not issue it to that person.
    func place<Place: LosslessStringConvertible>(
        _ cursor: String?, in field: String, of person: Person
    ) throws -> Place? {
        guard let cursor else { return nil }
        guard let text = try cursorKey().open(cursor, for: person.name.text),
            let place = Place(text)
        else { throw Turn.foreignCursor(field) }
        return place
    }

    static func foreignCursor(_ field: String) -> Problem {
        Problem(invalid: [.init(field: field, reason: "was not issued by this service")])
    }

    /// Created on first use.
    private func cursorKey() throws -> CursorKey {
        if let key = memory.cursorKey { return key }
        let bytes = try transaction.serviceKey("cursors", CursorKey.length, using: &random)
        let key = CursorKey(bytes)
        memory.cursorKey = key
        return key
    }
}
