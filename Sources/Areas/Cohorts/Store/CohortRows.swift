public import Sealing
public import Tracking

/// A day of a person as stored for cohorts.
public struct CohortDayRow: Hashable, Sendable {
    public let user: UserID
    /// Since the epoch, in UTC.
    public let day: Int
    public let vitals: SealingKeys.Sealed?
    public let positions: [UInt8]?

    public init(user: UserID, day: Int, vitals: SealingKeys.Sealed?, positions: [UInt8]?) {
        (self.user, self.day) = (user, day)
        (self.vitals, self.positions) = (vitals, positions)
    }

    /// What the vital signs are encrypted as: a day that is copied into another one is not opened.
    public static func context(_ user: UserID, _ day: Int) -> String {
        "cohort day \(user.rawValue) \(day)"
    }
}

/// Somebody who agrees to be counted.
public struct CohortMember: Sendable {
    public let user: UserID
    public let number: Int
    public let profile: SealingKeys.Sealed?
}

/// An answer as stored, without who is behind it.
public struct CohortAnswerRow: Sendable {
    public let id: Int64
    /// Nil if the company is gone.
    public let requester: UserID?
    /// As ``CohortSubscription/filter``.
    public let filter: String
    /// Hours since the epoch.
    public let window: Range<Int>
    /// In thousandths of epsilon.
    public let cost: Int
    public let answer: String

    public init(
        id: Int64 = 0, requester: UserID?, filter: String, window: Range<Int>, cost: Int,
        answer: String
    ) {
        (self.id, self.requester, self.filter) = (id, requester, filter)
        (self.window, self.cost, self.answer) = (window, cost, answer)
    }
}

/// That a service wants to know about a cohort, hour by hour.
public struct CohortSubscription: Hashable, Sendable {
    public let id: UUIDv7
    public let service: UserID
    /// In the one spelling that equal filters have.
    public let filter: String
    /// Since the epoch.
    public var nextHour: Int

    public init(id: UUIDv7, service: UserID, filter: String, nextHour: Int) {
        (self.id, self.service) = (id, service)
        (self.filter, self.nextHour) = (filter, nextHour)
    }
}
