internal import Contract
internal import JSON

/// What a visitor of the demo may do, with an account that everybody shares: what the table of
/// methods allows, and nothing that tells others where the visitor is.
enum DemoRules {
    static let noPositions = Problem(
        .notAllowed, "This is the demo: everybody would see where you are.")

    /// - Throws: `not-allowed`.
    static func check(_ method: String, _ body: [UInt8]) throws(Problem) {
        guard Method.named(method)?.isForDemo == true else {
            throw Problem(.notAllowed, "This is the demo: everybody shares one account.")
        }
        // The bridge refuses what cannot be parsed.
        guard case .object(let members)? = JSONValue(parsing: body) else { return }
        if members.contains(where: { $0.key == "fix" && $0.value != .null }) { throw noPositions }
    }
}
