internal import Contract

/// What somebody may do who watches the demo, with an account that everybody shares: what the
/// table of methods leaves open, and nothing that tells others where the visitor is.
enum DemoRules {
    static let noPositions = Problem(
        .notAllowed, "This is the demo: everybody would see where you are.")

    /// - Throws: `not-allowed`.
    static func check(_ method: String, _ body: [UInt8]) throws(Problem) {
        guard Method.named(method)?.isForDemo == true else {
            throw Problem(.notAllowed, "This is the demo: everybody shares one account.")
        }
        // What cannot be read the bridge refuses.
        guard case .object(let members)? = JSONValue.read(body) else { return }
        if members.contains(where: { $0.key == "fix" && $0.value != .null }) { throw noPositions }
    }
}
