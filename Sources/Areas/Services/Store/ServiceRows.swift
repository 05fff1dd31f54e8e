public import Contract
public import Tracking

/// A service as stored: its account has the name, and is the ``UserRow`` with the same number.
public struct ServiceRow: Hashable, Sendable {
    public let id: UserID
    public let company: UserID
    public let description: String
    public let data: SharedData
    /// Where people open it; nil if it has no page.
    public var address: String?

    public init(
        id: UserID, company: UserID, description: String, data: SharedData, address: String? = nil
    ) {
        (self.id, self.company) = (id, company)
        (self.description, self.data, self.address) = (description, data, address)
    }
}

/// That a user lets a service have data.
public struct ServiceConsent: Hashable, Sendable {
    public let user: UserID
    public let service: UserID
    public let at: Timestamp
    /// Since when it may receive samples as they come; nil if it may read what is stored alone.
    public var streamsSince: Timestamp?
    /// Since when it receives samples as they come; nil if it does not.
    public var subscribedAt: Timestamp?

    public init(
        user: UserID, service: UserID, at: Timestamp, streamsSince: Timestamp? = nil,
        subscribedAt: Timestamp? = nil
    ) {
        (self.user, self.service, self.at) = (user, service, at)
        (self.streamsSince, self.subscribedAt) = (streamsSince, subscribedAt)
    }
}

/// Somebody who lets a service have data.
public struct ServiceUser: Hashable, Sendable {
    /// Ascends in the order in which consents were given.
    public let id: Int64
    public let user: Name
    public let at: Timestamp
    /// Whether samples may be published as they come.
    public let mayStream: Bool
    public let isSubscribed: Bool
}

/// That a service asks a user for their agreement.
public struct DataRequestRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let service: UserID
    public let company: UserID
    public let reason: String
    /// Whether it is for samples as they come, of somebody whose data it reads; otherwise for reading.
    public let streams: Bool
    /// The mark of what it has asked; nil of a request of an earlier Kith.
    public let asked: [UInt8]?
    /// Whether it has asked by a number, and does not know whose that is.
    public let isByNumber: Bool

    public init(
        id: UUIDv7, user: UserID, service: UserID, company: UserID, reason: String, streams: Bool,
        asked: [UInt8]?, isByNumber: Bool
    ) {
        (self.id, self.user) = (id, user)
        (self.service, self.company, self.reason) = (service, company, reason)
        (self.streams, self.asked, self.isByNumber) = (streams, asked, isByNumber)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)) else {
            throw StoreError(.decode, reason: "a request for data is damaged")
        }
        self.init(
            id: id, user: UserID(rawValue: try row.integer(1)),
            service: UserID(rawValue: try row.integer(2)),
            company: UserID(rawValue: try row.integer(3)), reason: try row.text(4),
            streams: try row.integer(5) != 0, asked: row.isNull(6) ? nil : try row.blob(6),
            isByNumber: try row.integer(7) != 0)
    }

    static let columns =
        "id, user_id, service_id, company_id, reason, streams, asked, by_number"
}
