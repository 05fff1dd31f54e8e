internal import Contract

/// What somebody may do who watches the demo, with an account that everybody shares: what is named
/// here, and nothing that tells others where the visitor is.
enum DemoRules {
    private static let methods: Set = [
        "account.export", "account.get", "alert.acknowledge", "alert.list", "chat.history",
        "chat.send", "device.list", "friend.list", "friend.nearby", "friend.share",
        "friend.unshare", "group.list", "journey.start", "journey.stop", "members.get", "path.get",
        "sharing.list", "sharing.start", "sharing.stop", "sos.stop", "sos.trigger",
    ]

    static let noPositions = Problem(
        .notAllowed, "This is the demo: everybody would see where you are.")

    /// - Throws: `not-allowed`.
    static func check(_ method: String, _ body: [UInt8]) throws(Problem) {
        guard methods.contains(method) else {
            throw Problem(.notAllowed, "This is the demo: everybody shares one account.")
        }
        // What cannot be read the bridge refuses.
        guard case .object(let members)? = JSONValue.read(body) else { return }
        if members.contains(where: { $0.key == "fix" && $0.value != .null }) { throw noPositions }
    }
}
