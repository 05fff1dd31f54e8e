extension Gatekeeper {
    /// How much is remembered: when everybody has gone for good, nothing is.
    package var census: [String: Int] {
        [
            "sessions": sessions.count, "users": clientsByUser.count,
            "client ids": clientsByID.count,
            "parties": parties.count, "meters": meters.count, "guests": guests.count,
            "leaving": leaving.count, "unwanted": unwanted.count, "changes": changes.count,
            "connected": connected,
        ]
    }
}
