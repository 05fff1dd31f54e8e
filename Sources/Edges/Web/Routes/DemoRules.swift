internal import Contract
internal import JSON

/// The permissions of demo visitors, who share one account: reading as allowed by the method table.
/// Visitors' requests change nothing for the next one, and never contain the visitor's position;
/// the page itself simulates what people can try in the demo.
enum DemoRules {
    static let noPositions = Problem(
        .notAllowed, "This is the demo: everyone would see where you are.")

    /// - Throws: `not-allowed`.
    static func check(_ method: String, _ body: [UInt8]) throws(Problem) {
        guard let method = Method.named(method), method.isForDemo, method.isRead else {
            throw Problem(.notAllowed, "This is the demo: everyone shares one account.")
        }
        // The bridge refuses what cannot be parsed.
        guard let body = JSONValue(parsing: body) else { return }
        if hasPosition(body) { throw noPositions }
    }

    /// Checked at any depth, and for all values of a duplicate key: parsers differ in which of two
    /// counts.
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
