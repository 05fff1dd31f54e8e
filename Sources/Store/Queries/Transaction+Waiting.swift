public import Tracking

/// A request that waits for its turn.
public struct WaitingRequest: Sendable {
    public let user: UserID
    public let device: DeviceID
    public let method: String
    public let payload: [UInt8]
    public let responseTopic: String?
    public let correlationData: [UInt8]?
    /// The packet identifier; 0 for QoS 0.
    public let packetID: UInt16
    public let receivedAt: Timestamp
    /// Since when, at the time of reception, the connection to the broker had been uninterrupted.
    public let listeningSince: Timestamp

    public init(
        user: UserID, device: DeviceID, method: String, payload: [UInt8],
        responseTopic: String?, correlationData: [UInt8]?, packetID: UInt16,
        receivedAt: Timestamp, listeningSince: Timestamp
    ) {
        self.user = user
        self.device = device
        self.method = method
        self.payload = payload
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.packetID = packetID
        self.receivedAt = receivedAt
        self.listeningSince = listeningSince
    }

    /// Its size in bytes, without the row itself.
    public var size: Int {
        method.utf8.count + payload.count + (responseTopic?.utf8.count ?? 0)
            + (correlationData?.count ?? 0)
    }
}

extension Transaction {
    public func insert(_ request: WaitingRequest) throws(StoreError) -> Int64 {
        try one(
            """
            INSERT INTO waiting_requests (user_id, device_id, method, payload, response_topic,
                correlation_data, packet_id, received_at_ms, listening_since_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                SQLValue(request.user), SQLValue(request.device), .text(request.method),
                .blob(request.payload), SQLValue(request.responseTopic),
                request.correlationData.map { .blob($0) } ?? .null,
                .integer(Int64(request.packetID)), SQLValue(request.receivedAt),
                SQLValue(request.listeningSince),
            ]
        ) { row throws(StoreError) in try row.integer(0) } ?? 0
    }

    /// All of them, in order of arrival.
    public func waitingRequests(
        _ body: (Int64, WaitingRequest) throws(StoreError) -> Void
    ) throws(StoreError) {
        try driver.query(Transaction.waiting + " ORDER BY id", []) { row throws(StoreError) in
            try body(try row.integer(0), try WaitingRequest(row))
        }
    }

    public func waitingRequest(_ id: Int64) throws(StoreError) -> WaitingRequest? {
        try one(Transaction.waiting + " WHERE id = ?", [.integer(id)]) { row throws(StoreError) in
            try WaitingRequest(row)
        }
    }

    public func deleteWaitingRequest(_ id: Int64) throws(StoreError) {
        try driver.execute("DELETE FROM waiting_requests WHERE id = ?", [.integer(id)])
    }

    private static let waiting = """
        SELECT id, user_id, device_id, method, payload, response_topic, correlation_data,
            packet_id, received_at_ms, listening_since_ms FROM waiting_requests
        """
}

extension WaitingRequest {
    /// - Parameter row: a row whose first column is the number.
    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        self.init(
            user: UserID(rawValue: try row.integer(1)),
            device: DeviceID(rawValue: try row.integer(2)), method: try row.text(3),
            payload: try row.blob(4), responseTopic: try row.optionalText(5),
            correlationData: row.isNull(6) ? nil : try row.blob(6),
            packetID: UInt16(clamping: try row.integer(7)),
            receivedAt: Timestamp(milliseconds: try row.integer(8)),
            listeningSince: Timestamp(milliseconds: try row.integer(9)))
    }
}
