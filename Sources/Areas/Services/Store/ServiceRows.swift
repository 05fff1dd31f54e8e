public import Contract
public import Tracking

/// A service as stored: its account has the name, and is the ``UserRow`` with the same number.
public struct ServiceRow: Hashable, Sendable {
    public let id: UserID
    public let company: UserID
    public let description: String
    public let data: SharedData

    public init(id: UserID, company: UserID, description: String, data: SharedData) {
        (self.id, self.company) = (id, company)
        (self.description, self.data) = (description, data)
    }
}

/// That a user lets a service have data.
public struct ServiceConsent: Hashable, Sendable {
    public let user: UserID
    public let service: UserID
    public let at: Timestamp
    /// Since when it receives samples as they come; nil if it does not.
    public var subscribedAt: Timestamp?

    public init(user: UserID, service: UserID, at: Timestamp, subscribedAt: Timestamp? = nil) {
        (self.user, self.service) = (user, service)
        (self.at, self.subscribedAt) = (at, subscribedAt)
    }
}

/// Somebody who lets a service have data.
public struct ServiceUser: Hashable, Sendable {
    /// Ascends in the order in which consents were given.
    public let id: Int64
    public let user: Name
    public let at: Timestamp
    public let isSubscribed: Bool
}

/// That a service asks a user for their agreement.
public struct DataRequestRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let service: UserID
    public let company: UserID
    public let reason: String

    public init(id: UUIDv7, user: UserID, service: UserID, company: UserID, reason: String) {
        (self.id, self.user) = (id, user)
        (self.service, self.company, self.reason) = (service, company, reason)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)) else {
            throw StoreError(.decode, reason: "a request for data is damaged")
        }
        self.init(
            id: id, user: UserID(rawValue: try row.integer(1)),
            service: UserID(rawValue: try row.integer(2)),
            company: UserID(rawValue: try row.integer(3)), reason: try row.text(4))
    }

    static let columns = "id, user_id, service_id, company_id, reason"
}
