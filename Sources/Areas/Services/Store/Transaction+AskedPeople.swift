public import Contract
public import Tracking

/// A service's request for a person, whether or not the person exists.
public struct AskedPersonRow: Hashable, Sendable {
    /// Assigned when it is stored.
    public let id: Int64
    public let service: UserID
    public let company: UserID
    /// The mark of the name or the number.
    public let mark: [UInt8]
    public let at: Timestamp
    /// The text of the request and its reason; nil once it is resolved to users.
    public let question: Question?

    public struct Question: Hashable, Sendable {
        /// A name, or `#` and a number's hexadecimal mark.
        public let asked: String
        public let reason: String
        public let due: Timestamp

        public init(asked: String, reason: String, due: Timestamp) {
            (self.asked, self.reason, self.due) = (asked, reason, due)
        }
    }

    public init(
        service: UserID, company: UserID, mark: [UInt8], at: Timestamp, _ question: Question
    ) {
        self.init(
            id: 0, service: service, company: company, mark: mark, at: at, question: question)
    }

    private init(
        id: Int64, service: UserID, company: UserID, mark: [UInt8], at: Timestamp,
        question: Question?
    ) {
        (self.id, self.service, self.company) = (id, service, company)
        (self.mark, self.at, self.question) = (mark, at, question)
    }

    fileprivate static let record = Record<AskedPersonRow>(
        "asked_people", key: 2,
        Column("service_id", .number, \.service), Column("mark", .blob, \.mark),
        Column("company_id", .number, \.company), Column("at_ms", .time, \.at),
        Column("asked", "reason", "due_at_ms", type: .question, \.question),
        Column(following: "id", .integer)
    ) { service, mark, company, at, question, id in
        AskedPersonRow(
            id: id, service: service, company: company, mark: mark, at: at, question: question)
    }
}

extension ColumnType where Value == AskedPersonRow.Question? {
    fileprivate static let question = ColumnType(width: 3) { row, place in
        guard let asked = try row.optionalText(place), let due = try row.optionalTime(place + 2)
        else { return .some(nil) }
        return AskedPersonRow.Question(
            asked: asked, reason: try row.optionalText(place + 1) ?? "", due: due)
    } write: {
        [SQLValue($0?.asked), SQLValue($0?.reason), SQLValue($0?.due)]
    }
}

/// The people whom services have asked for.
extension Transaction {
    /// Replaces the service's previous request for the same person.
    public func save(_ row: AskedPersonRow) throws(StoreError) {
        try save(row, AskedPersonRow.record)
    }

    public func askedPerson(_ mark: [UInt8], by service: UserID) throws(StoreError)
        -> AskedPersonRow?
    {
        try rows(
            AskedPersonRow.record, "WHERE service_id = ? AND mark = ?",
            [SQLValue(service), .blob(mark)]
        ).first
    }

    /// Returns the number of people whom a company's services have asked for since then, and whose
    /// answer is not known.
    public func countAskedPeople(of company: UserID, since time: Timestamp) throws(StoreError)
        -> Int
    {
        try count(
            "SELECT COUNT(*) FROM asked_people WHERE company_id = ? AND at_ms > ?",
            [SQLValue(company), SQLValue(time)])
    }

    /// Returns the requests due to be resolved, the longest due first.
    public func askedPeople(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [AskedPersonRow]
    {
        try rows(
            AskedPersonRow.record, "WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?",
            [SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns the unresolved requests that may refer to this user.
    public func askedPeople(perhaps name: Name, atMost limit: Int)
        throws(StoreError) -> [AskedPersonRow]
    {
        try rows(
            AskedPersonRow.record,
            """
            WHERE due_at_ms IS NOT NULL AND (asked = ? OR asked LIKE '#%')
            ORDER BY due_at_ms, id LIMIT ?
            """, [.text(name.text), .integer(Int64(limit))])
    }

    public func nextAskedPerson() throws(StoreError) -> Timestamp? {
        try one(
            "SELECT MIN(due_at_ms) FROM asked_people WHERE due_at_ms IS NOT NULL", []
        ) { try $0.optionalTime(0) } ?? nil
    }

    /// Marks a request as resolved, and deletes what was asked.
    public func noteLookedUp(_ id: Int64) throws(StoreError) {
        try driver.execute(
            """
            UPDATE asked_people SET asked = NULL, reason = NULL, due_at_ms = NULL WHERE id = ?
            """, [.integer(id)])
    }

    /// Allows the service to ask the user again, after their answer. The search covers the user's
    /// few requests.
    func forgetAsked(by service: UserID, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM asked_people WHERE service_id = ? AND mark IN
                (SELECT asked FROM data_requests
                WHERE user_id = ? AND +service_id = ? AND answered_at_ms IS NULL
                    AND asked IS NOT NULL)
            """, [SQLValue(service), SQLValue(user), SQLValue(service)])
    }

    /// Deletes requests made before then, and unanswered ones.
    ///
    /// - Returns: whether there may be more.
    public func deleteUnanswered(before time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Bool
    {
        var isMore = false
        for statement in [
            """
            DELETE FROM asked_people WHERE id IN (SELECT id FROM asked_people
                WHERE at_ms <= ? ORDER BY at_ms LIMIT ?)
            """,
            """
            DELETE FROM data_requests WHERE id IN (SELECT id FROM data_requests
                WHERE answered_at_ms IS NULL AND at_ms <= ? ORDER BY at_ms LIMIT ?)
            """,
        ] {
            let count = try driver.executeCounted(
                statement, [SQLValue(time), .integer(Int64(limit))])
            if count >= limit { isMore = true }
        }
        return isMore
    }
}
