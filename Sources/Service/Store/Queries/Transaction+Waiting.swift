public import Tracking

/// A request that waits for its turn.
public struct WaitingRequest: Sendable {
    /// The row's number; 0 if it is not stored yet.
    let id: Int64
    public let user: UserID
    public let device: DeviceID
    public let method: String
    public let payload: [UInt8]
    public let responseTopic: String?
    public let correlationData: [UInt8]?
    /// The packet identifier; 0 for QoS 0.
    public let packetID: UInt16
    public let receivedAt: Timestamp
    /// When the connection to the broker at the time of reception began.
    public let listeningSince: Timestamp

    static let record = Record<WaitingRequest>(
        "waiting_requests", Column("id", .integer, \.id), Column("user_id", .number, \.user),
        Column("device_id", .number, \.device), Column("method", .text, \.method),
        Column("payload", .blob, \.payload),
        Column("response_topic", .null(or: .text), \.responseTopic),
        Column("correlation_data", .null(or: .blob), \.correlationData),
        Column("packet_id", .count, \.packetID),
        Column("received_at_ms", .time, \.receivedAt),
        Column("listening_since_ms", .time, \.listeningSince), make: WaitingRequest.init)

    /// Its size in bytes, without the row itself.
    public var size: Int {
        method.utf8.count + payload.count + (responseTopic?.utf8.count ?? 0)
            + (correlationData?.count ?? 0)
    }
}

extension Transaction {
    public func insert(_ request: WaitingRequest) throws(StoreError) -> Int64 {
        try insertNumbered(request, WaitingRequest.record)
    }

    /// All of them, in order of arrival.
    public func waitingRequests(_ body: (Int64, WaitingRequest) throws -> Void) throws(StoreError) {
        let record = WaitingRequest.record
        try each("\(record.selection) ORDER BY id", []) { row in
            let request = try record.read(row)
            try body(request.id, request)
        }
    }

    public func waitingRequest(_ id: Int64) throws(StoreError) -> WaitingRequest? {
        try rows(WaitingRequest.record, "WHERE id = ?", [.integer(id)]).first
    }

    public func deleteWaitingRequest(_ id: Int64) throws(StoreError) {
        try driver.execute("DELETE FROM waiting_requests WHERE id = ?", [.integer(id)])
    }
}

extension WaitingRequest {
    public init(
        user: UserID, device: DeviceID, method: String, payload: [UInt8],
        responseTopic: String?, correlationData: [UInt8]?, packetID: UInt16,
        receivedAt: Timestamp, listeningSince: Timestamp
    ) {
        self.init(
            id: 0, user: user, device: device, method: method, payload: payload,
            responseTopic: responseTopic, correlationData: correlationData, packetID: packetID,
            receivedAt: receivedAt, listeningSince: listeningSince)
    }
}
