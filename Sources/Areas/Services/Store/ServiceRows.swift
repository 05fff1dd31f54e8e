public import Contract
public import Tracking

/// A stored service: its account has the name, and is the ``UserRow`` with the same number.
public struct ServiceRow: Hashable, Sendable {
    public let id: UserID
    public let company: UserID
    public let description: String
    public let data: SharedData
    /// The page where people open it; nil if it has none.
    public var address: String?

    public init(
        id: UserID, company: UserID, description: String, data: SharedData, address: String? = nil
    ) {
        (self.id, self.company) = (id, company)
        (self.description, self.data, self.address) = (description, data, address)
    }

    static let record = Record<ServiceRow>(
        "services",
        Column("user_id", .number, \.id), Column("company_id", .number, \.company),
        Column("description", .text, \.description), Column("data", .data, \.data),
        Column("address", .null(or: .text), \.address)
    ) { ServiceRow(id: $0, company: $1, description: $2, data: $3, address: $4) }
}

/// A user's consent to share data with a service.
public struct ServiceConsent: Hashable, Sendable {
    public let user: UserID
    public let service: UserID
    public let at: Timestamp
    /// The beginning of the consent to streaming; nil if it may only read stored samples.
    public var streamsSince: Timestamp?
    /// The beginning of streaming; nil if it is not subscribed.
    public var subscribedAt: Timestamp?

    public init(
        user: UserID, service: UserID, at: Timestamp, streamsSince: Timestamp? = nil,
        subscribedAt: Timestamp? = nil
    ) {
        (self.user, self.service, self.at) = (user, service, at)
        (self.streamsSince, self.subscribedAt) = (streamsSince, subscribedAt)
    }

    static let record = Record<ServiceConsent>(
        "service_consents",
        Column("user_id", .number, \.user), Column("service_id", .number, \.service),
        Column("at_ms", .time, \.at),
        Column("streams_since_ms", .null(or: .time), \.streamsSince),
        Column("subscribed_at_ms", .null(or: .time), \.subscribedAt)
    ) { ServiceConsent(user: $0, service: $1, at: $2, streamsSince: $3, subscribedAt: $4) }
}

/// A user who consents to share data with a service.
public struct ServiceUser: Hashable, Sendable {
    /// Ascends in the order of the consents.
    public let id: Int64
    public let user: Name
    public let at: Timestamp
    /// Whether samples may be published as they arrive.
    public let mayStream: Bool
    public let isSubscribed: Bool
}

/// A service's request for a user's consent.
public struct DataRequestRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let service: UserID
    public let company: UserID
    public let reason: String
    /// Whether it requests streaming, from a user whose data the service may read; otherwise
    /// reading.
    public let streams: Bool
    /// The mark of what was asked; nil in a request of an earlier Kith.
    public let asked: [UInt8]?
    /// Whether it was made by number, without knowing the owner.
    public let isByNumber: Bool

    public init(
        id: UUIDv7, user: UserID, service: UserID, company: UserID, reason: String, streams: Bool,
        asked: [UInt8]?, isByNumber: Bool
    ) {
        (self.id, self.user) = (id, user)
        (self.service, self.company, self.reason) = (service, company, reason)
        (self.streams, self.asked, self.isByNumber) = (streams, asked, isByNumber)
    }

    static let record = Record<DataRequestRow>(
        "data_requests",
        Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("service_id", .number, \.service), Column("company_id", .number, \.company),
        Column("reason", .text, \.reason), Column("streams", .flag, \.streams),
        Column("asked", .null(or: .blob), \.asked), Column("by_number", .flag, \.isByNumber)
    ) {
        DataRequestRow(
            id: $0, user: $1, service: $2, company: $3, reason: $4, streams: $5, asked: $6,
            isByNumber: $7)
    }
}

extension ColumnType where Value == SharedData {
    /// Stored as bits.
    fileprivate static let data = ColumnType { row, place in
        SharedData(rawValue: try row.integer(place))
    } write: {
        [.integer($0.rawValue)]
    }
}
