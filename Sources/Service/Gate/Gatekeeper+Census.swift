extension Gatekeeper {
    /// The number of entries in each in-memory table; all are empty once all clients have left for
    /// good.
    package var census: [String: Int] {
        [
            "sessions": sessions.count, "users": clientsByHolder.count,
            "client ids": clientsByID.count,
            "parties": parties.count, "meters": meters.count, "guests": guests.count,
            "leaving": leaving.count, "unwanted": unwanted.count, "changes": changes.count,
            "connected": connected,
        ]
    }
}
