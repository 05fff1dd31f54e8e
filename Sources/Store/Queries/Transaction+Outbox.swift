public import Tracking

/// A message that must not be lost, until the broker has confirmed it.
public struct OutboxRow: Sendable {
    public let id: Int64
    public let topic: String
    public let payload: [UInt8]
    public let correlationData: [UInt8]?
    /// Whether the broker did not take it.
    public let isPutAside: Bool
}

extension Transaction {
    // MARK: Outbox

    public func insertOutgoing(topic: String, payload: [UInt8], correlationData: [UInt8]?)
        throws(StoreError) -> Int64
    {
        try one(
            "INSERT INTO outbox (topic, payload, correlation_data) VALUES (?, ?, ?) RETURNING id",
            [.text(topic), .blob(payload), correlationData.map { .blob($0) } ?? .null]
        ) { row throws(StoreError) in try row.integer(0) } ?? 0
    }

    /// In the order in which they were written, when nothing is under way: those that were
    /// emptied go.
    public func outgoing() throws(StoreError) -> [OutboxRow] {
        try driver.execute("DELETE FROM outbox WHERE topic = ''", [])
        return try unconfirmed()
    }

    /// The same while some may be under way.
    public func unconfirmed() throws(StoreError) -> [OutboxRow] {
        try all(
            """
            SELECT id, topic, payload, correlation_data, put_aside_at_ms
            FROM outbox WHERE topic <> '' ORDER BY id
            """
        ) { row throws(StoreError) in
            OutboxRow(
                id: try row.integer(0), topic: try row.text(1), payload: try row.blob(2),
                correlationData: row.isNull(3) ? nil : try row.blob(3),
                isPutAside: !row.isNull(4))
        }
    }

    public func deleteOutgoing(_ id: Int64) throws(StoreError) {
        try driver.execute("DELETE FROM outbox WHERE id = ?", [.integer(id)])
    }

    public func putAside(_ id: Int64, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE outbox SET put_aside_at_ms = ? WHERE id = ?", [SQLValue(now), .integer(id)])
    }

    /// Forgets what was put aside long ago.
    public func deletePutAside(before time: Timestamp) throws(StoreError) {
        try driver.execute("DELETE FROM outbox WHERE put_aside_at_ms < ?", [SQLValue(time)])
    }

    // MARK: Replies

    /// What was answered to this request of this device.
    ///
    /// - Parameter time: only if that was in the last minute of the service before this moment,
    ///   which ends with the last answer or the last new fix: what had been acknowledged does not
    ///   come again.
    public func reply(to request: String, of device: DeviceID, before time: Timestamp?)
        throws(StoreError) -> [UInt8]?
    {
        guard let time else {
            return try one(
                "SELECT payload FROM replies WHERE device_id = ? AND request = ?",
                [SQLValue(device), .text(request)]
            ) { row throws(StoreError) in try row.blob(0) }
        }
        return try one(
            """
            SELECT payload FROM replies WHERE device_id = ? AND request = ? AND at_ms < ?
                AND at_ms >= MAX(
                    (SELECT MAX(at_ms) FROM replies WHERE at_ms < ?),
                    COALESCE(
                        (SELECT received_at_ms FROM fixes WHERE received_at_ms < ?
                        ORDER BY id DESC LIMIT 1), 0)) - 60000
            """,
            [SQLValue(device), .text(request), SQLValue(time), SQLValue(time), SQLValue(time)]
        ) { row throws(StoreError) in try row.blob(0) }
    }

    /// Whether the device was answered under this name, whatever it asked for.
    ///
    /// - Parameter name: ends with a space, and has no other one that could end it.
    public func hasReply(toAnyOf name: String, of device: DeviceID) throws(StoreError) -> Bool {
        precondition(name.hasSuffix(" "), "a name ends with a space")
        // The character after the space.
        return try one(
            "SELECT 1 FROM replies WHERE device_id = ? AND request >= ? AND request < ? LIMIT 1",
            [SQLValue(device), .text(name), .text(name.dropLast() + "!")]
        ) { row throws(StoreError) in try row.integer(0) } != nil
    }

    public func insertReply(
        _ payload: [UInt8], to request: String, of device: DeviceID, at now: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO replies (device_id, request, payload, at_ms) VALUES (?, ?, ?, ?)
            ON CONFLICT (device_id, request) DO UPDATE SET
                payload = excluded.payload, at_ms = excluded.at_ms
            """,
            [SQLValue(device), .text(request), .blob(payload), SQLValue(now)])
    }

    public func deleteReply(to request: String, of device: DeviceID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM replies WHERE device_id = ? AND request = ?",
            [SQLValue(device), .text(request)])
    }

    /// Forgets all but the newest of a device.
    ///
    /// - Returns: how many.
    @discardableResult
    public func deleteReplies(of device: DeviceID, butNewest count: Int) throws(StoreError)
        -> Int
    {
        try driver.execute(
            """
            DELETE FROM replies WHERE device_id = ? AND request IN (
                SELECT request FROM replies WHERE device_id = ?
                ORDER BY at_ms DESC, request LIMIT 1000000 OFFSET ?)
            """, [SQLValue(device), SQLValue(device), .integer(Int64(count))])
    }

    // MARK: The operator

    public func insertOperatorRequest(_ request: String, at now: Timestamp)
        throws(StoreError) -> Int64
    {
        try one(
            "INSERT INTO operator_requests (request, at_ms) VALUES (?, ?) RETURNING id",
            [.text(request), SQLValue(now)]
        ) { row throws(StoreError) in try row.integer(0) } ?? 0
    }

    /// Those that wait for an answer, the oldest first.
    public func operatorRequests() throws(StoreError) -> [(id: Int64, request: String)] {
        try all("SELECT id, request FROM operator_requests WHERE reply IS NULL ORDER BY id") {
            row throws(StoreError) in (try row.integer(0), try row.text(1))
        }
    }

    public func answerOperator(_ id: Int64, _ reply: String) throws(StoreError) {
        try driver.execute(
            "UPDATE operator_requests SET reply = ? WHERE id = ?", [.text(reply), .integer(id)])
    }

    /// The answer, once there is one; it is taken away with it.
    public func takeOperatorReply(_ id: Int64) throws(StoreError) -> String? {
        try one(
            "DELETE FROM operator_requests WHERE id = ? AND reply IS NOT NULL RETURNING reply",
            [.integer(id)]
        ) { row throws(StoreError) in try row.text(0) }
    }
}
