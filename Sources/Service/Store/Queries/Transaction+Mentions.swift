public import Contract
internal import Tracking

/// An erased user who may still be mentioned in stored answers to other people.
public struct MentionRow: Sendable {
    public let name: Name
    public let displayName: String
    let id: Int64
    /// The last answer that was checked.
    let device: Int64
    let request: String
}

extension Transaction {
    /// Mentions ordered by erasure.
    public func mentions(atMost limit: Int = .max) throws(StoreError) -> [MentionRow] {
        try all(
            "SELECT id, name, display_name, device_id, request FROM mentions ORDER BY id LIMIT ?",
            [.integer(Int64(limit))]
        ) { row in
            MentionRow(
                name: try row.name(1), displayName: try row.text(2), id: try row.integer(0),
                device: try row.integer(3), request: try row.text(4))
        }
    }

    /// Deletes answers to other people that mention the erased user, continuing where the last call
    /// stopped.
    ///
    /// - Returns: the number of answers checked; `limit` if there are more.
    func eraseMentions(
        _ mention: MentionRow, atMost limit: Int, _ speaks: ([UInt8]) -> Bool
    ) throws(StoreError) -> Int {
        var (device, request) = (mention.device, mention.request)
        var (looked, bytes) = (0, 0)
        while looked < limit, bytes < Transaction.mentionBytes {
            let part = min(Transaction.mentionsAtATime, limit - looked)
            let rows = try all(
                """
                SELECT device_id, request, payload FROM replies WHERE (device_id, request) > (?, ?)
                ORDER BY device_id, request LIMIT ?
                """, [.integer(device), .text(request), .integer(Int64(part))]
            ) { row in
                let payload = try row.blob(2)
                bytes += payload.count
                return (try row.integer(0), try row.text(1), isMention: speaks(payload))
            }
            for (device, request, isMention) in rows where isMention {
                try deleteReply(to: request, of: DeviceID(rawValue: device))
            }
            looked += rows.count
            guard rows.count == part, let last = rows.last else {
                try forgetAccessChanges(of: mention.name)
                try driver.execute("DELETE FROM mentions WHERE id = ?", [.integer(mention.id)])
                return max(looked, 1)
            }
            (device, request) = (last.0, last.1)
        }
        try driver.execute(
            "UPDATE mentions SET device_id = ?, request = ? WHERE id = ?",
            [.integer(device), .text(request), .integer(mention.id)])
        return limit
    }

    private static let mentionsAtATime = 20
    /// The bytes of answers read in one step; each answer has up to 64 KiB.
    private static let mentionBytes = 1 << 18
}
