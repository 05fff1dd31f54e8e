public import Tracking

/// A message that must not be lost, until the broker has confirmed it.
public struct OutboxRow: Sendable {
    public let id: Int64
    public let topic: String
    public let payload: [UInt8]
    public let correlationData: [UInt8]?
    /// Whether it is no longer sent because the broker did not accept it.
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
        ) { try $0.integer(0) } ?? 0
    }

    /// Returns the messages in the order of insertion, and deletes the emptied ones; only for when
    /// none is in flight.
    public func outgoing() throws(StoreError) -> [OutboxRow] {
        try driver.execute("DELETE FROM outbox WHERE topic = ''", [])
        return try unconfirmed()
    }

    /// The same while some may be in flight.
    public func unconfirmed() throws(StoreError) -> [OutboxRow] {
        try all(
            """
            SELECT id, topic, payload, correlation_data, put_aside_at_ms
            FROM outbox WHERE topic <> '' ORDER BY id
            """
        ) { row in
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

    /// Deletes messages that were put aside long ago.
    public func deletePutAside(before time: Timestamp) throws(StoreError) {
        try driver.execute("DELETE FROM outbox WHERE put_aside_at_ms < ?", [SQLValue(time)])
    }

    // MARK: Replies

    /// The answer to this request of this device.
    ///
    /// - Parameter time: if given, only an answer from the last minute of service before this
    ///   moment; that minute ends with the last answer or the last new fix. Requests acknowledged
    ///   before it are not redelivered.
    public func reply(to request: String, of device: DeviceID, before time: Timestamp?)
        throws(StoreError) -> [UInt8]?
    {
        guard let time else {
            return try one(
                "SELECT payload FROM replies WHERE device_id = ? AND request = ?",
                [SQLValue(device), .text(request)]
            ) { try $0.blob(0) }
        }
        return try one(
            """
            SELECT payload FROM replies WHERE device_id = ? AND request = ? AND at_ms < ?
                AND at_ms >= (SELECT MAX(at_ms) FROM replies WHERE at_ms < ?3) - 60000
                AND at_ms >= COALESCE(
                    (SELECT received_at_ms FROM fixes WHERE received_at_ms < ?3
                    ORDER BY id DESC LIMIT 1), 0) - 60000
            """,
            [SQLValue(device), .text(request), SQLValue(time)]
        ) { try $0.blob(0) }
    }

    /// Whether the device was answered under this name, for any request.
    ///
    /// - Parameter name: ends with a space, and contains no other space at which it could end.
    public func hasReply(toAnyOf name: String, of device: DeviceID) throws(StoreError) -> Bool {
        precondition(name.hasSuffix(" "), "a name ends with a space")
        // `!` is the character after the space.
        return try one(
            "SELECT 1 FROM replies WHERE device_id = ? AND request >= ? AND request < ? LIMIT 1",
            [SQLValue(device), .text(name), .text(name.dropLast() + "!")]
        ) { try $0.integer(0) } != nil
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

    /// Deletes all but the newest replies of a device.
    ///
    /// - Returns: the number deleted.
    @discardableResult
    public func deleteReplies(of device: DeviceID, butNewest count: Int) throws(StoreError)
        -> Int
    {
        try driver.executeCounted(
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
        ) { try $0.integer(0) } ?? 0
    }

    /// The requests that await an answer, oldest first.
    public func operatorRequests() throws(StoreError) -> [(id: Int64, request: String)] {
        try all("SELECT id, request FROM operator_requests WHERE reply IS NULL ORDER BY id") {
            row in (try row.integer(0), try row.text(1))
        }
    }

    public func answerOperator(_ id: Int64, _ reply: String) throws(StoreError) {
        try driver.execute(
            "UPDATE operator_requests SET reply = ? WHERE id = ?", [.text(reply), .integer(id)])
    }

    /// Returns the answer, once there is one, and deletes the request.
    public func takeOperatorReply(_ id: Int64) throws(StoreError) -> String? {
        try one(
            "DELETE FROM operator_requests WHERE id = ? AND reply IS NOT NULL RETURNING reply",
            [.integer(id)]
        ) { try $0.text(0) }
    }
}
