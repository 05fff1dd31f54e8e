public import Sealing
public import Tracking

/// A person's day as stored for cohorts.
public struct CohortDayRow: Hashable, Sendable {
    public let user: UserID
    /// Days since the epoch, in UTC.
    public let day: Int
    public let vitals: SealingKeys.Sealed?
    public let positions: [UInt8]?

    public init(user: UserID, day: Int, vitals: SealingKeys.Sealed?, positions: [UInt8]?) {
        (self.user, self.day) = (user, day)
        (self.vitals, self.positions) = (vitals, positions)
    }

    static let record = Record<CohortDayRow>(
        "cohort_days", key: 2,
        Column("user_id", .number, \.user), Column("day", .count, \.day),
        Column("key_id", "vitals", type: .null(or: .sealed), \.vitals),
        Column("positions", .null(or: .blob), \.positions)
    ) { CohortDayRow(user: $0, day: $1, vitals: $2, positions: $3) }

    /// Returns the encryption context of the vital signs: a day copied to another row does not
    /// open.
    public static func context(_ user: UserID, _ day: Int) -> String {
        "cohort day \(user.rawValue) \(day)"
    }
}

/// A person who consents to be counted.
public struct CohortMember: Sendable {
    public let user: UserID
    public let number: Int
    public let profile: SealingKeys.Sealed?
}

/// A stored answer, without its contributors.
public struct CohortAnswerRow: Sendable {
    public let id: Int64
    /// Nil if the company has been deleted.
    public let requester: UserID?
    /// The same form as ``CohortSubscription/filter``.
    public let filter: String
    /// Hours since the epoch.
    public let window: Range<Int>
    /// The cost in thousandths of epsilon.
    public let cost: Int
    public let answer: String

    public init(
        id: Int64 = 0, requester: UserID?, filter: String, window: Range<Int>, cost: Int,
        answer: String
    ) {
        (self.id, self.requester, self.filter) = (id, requester, filter)
        (self.window, self.cost, self.answer) = (window, cost, answer)
    }

    static let record = Record<CohortAnswerRow>(
        "cohort_answers",
        Column("id", .integer, \.id), Column("requester_id", .null(or: .number), \.requester),
        Column("filter", .text, \.filter),
        Column("from_hour", "to_hour", type: .window, \.window), Column("cost", .cost, \.cost),
        Column("answer", .text, \.answer)
    ) {
        CohortAnswerRow(id: $0, requester: $1, filter: $2, window: $3, cost: $4, answer: $5)
    }
}

/// A service's subscription to a cohort's hourly answers.
public struct CohortSubscription: Hashable, Sendable {
    public let id: UUIDv7
    public let service: UserID
    /// The canonical text, the same for equal filters.
    public let filter: String
    /// Hours since the epoch.
    public var nextHour: Int

    public init(id: UUIDv7, service: UserID, filter: String, nextHour: Int) {
        (self.id, self.service) = (id, service)
        (self.filter, self.nextHour) = (filter, nextHour)
    }

    static let record = Record<CohortSubscription>(
        "cohort_subscriptions",
        Column("id", .id, \.id), Column("service_id", .number, \.service),
        Column("filter", .text, \.filter), Column("next_hour", .count, \.nextHour)
    ) { CohortSubscription(id: $0, service: $1, filter: $2, nextHour: $3) }
}

extension ColumnType where Value == Range<Int> {
    fileprivate static let window = ColumnType(width: 2) { row, place in
        let (from, to) = (Int(try row.integer(place)), Int(try row.integer(place + 1)))
        return from < to ? from..<to : nil
    } write: {
        [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))]
    }
}

extension ColumnType where Value == Int {
    /// The cost in thousandths; the settings allow a thousandth of this range.
    fileprivate static let cost = ColumnType { row, place in
        let cost = Int(try row.integer(place))
        return (1...1_000_000_000).contains(cost) ? cost : nil
    } write: {
        [.integer(Int64($0))]
    }
}
