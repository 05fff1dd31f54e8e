internal import Contract
internal import JSON

/// What a visitor of the demo may do, with an account that everybody shares: read what the table of
/// methods allows. Nothing that a visitor sends changes anything for the next one, and nothing says
/// where the visitor is; what the demo lets people try, the page rehearses by itself.
enum DemoRules {
    static let noPositions = Problem(
        .notAllowed, "This is the demo: everybody would see where you are.")

    /// - Throws: `not-allowed`.
    static func check(_ method: String, _ body: [UInt8]) throws(Problem) {
        guard let method = Method.named(method), method.isForDemo, method.isRead else {
            throw Problem(.notAllowed, "This is the demo: everybody shares one account.")
        }
        // The bridge refuses what cannot be parsed.
        guard let body = JSONValue(parsing: body) else { return }
        if hasPosition(body) { throw noPositions }
    }

    /// At any depth, and whatever else has the same key: readers differ in which of two counts.
    private static func hasPosition(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members):
            members.contains { member in
                (positions.contains(member.key) && member.value != .null)
                    || hasPosition(member.value)
            }
        case .array(let elements): elements.contains(where: hasPosition)
        case .string, .number, .bool, .null: false
        }
    }

    private static let positions: Set<String> = [
        "fix", "latitude", "longitude", "lat", "lon", "position", "destination",
    ]
}
