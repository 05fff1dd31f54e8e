public import Contract
public import Tracking

/// That a service has asked for somebody, whether or not there is such a person.
public struct AskedPersonRow: Hashable, Sendable {
    /// Assigned when it is stored.
    public let id: Int64
    public let service: UserID
    public let company: UserID
    /// Of the name or the number.
    public let mark: [UInt8]
    public let at: Timestamp
    /// As it was asked, and why; nil once it was looked up whom it means.
    public let question: Question?

    public struct Question: Hashable, Sendable {
        /// A name, or the hexadecimal mark of a number behind a `#`.
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
    fileprivate static let question = ColumnType(width: 3) { row, place throws(StoreError) in
        guard let asked = try row.optionalText(place), let due = try row.optionalTime(place + 2)
        else { return .some(nil) }
        return AskedPersonRow.Question(
            asked: asked, reason: try row.optionalText(place + 1) ?? "", due: due)
    } write: {
        [SQLValue($0?.asked), SQLValue($0?.reason), SQLValue($0?.due)]
    }
}

/// Whom services have asked for.
extension Transaction {
    /// Replaces what the service has asked of the same before.
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

    /// How many the services of a company have asked for since then, whose answer is not known.
    public func countAskedPeople(of company: UserID, since time: Timestamp) throws(StoreError)
        -> Int
    {
        try count(
            "SELECT COUNT(*) FROM asked_people WHERE company_id = ? AND at_ms > ?",
            [SQLValue(company), SQLValue(time)])
    }

    /// Those of whom it is to be looked up whom they mean, the longest due first.
    public func askedPeople(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [AskedPersonRow]
    {
        try rows(
            AskedPersonRow.record, "WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?",
            [SQLValue(now), .integer(Int64(limit))])
    }

    /// Those of whom it is not looked up yet whom they mean, and that may mean this user.
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
        ) { row throws(StoreError) in try row.optionalTime(0) } ?? nil
    }

    /// It was looked up whom it means: what was typed is not kept.
    public func noteLookedUp(_ id: Int64) throws(StoreError) {
        try driver.execute(
            """
            UPDATE asked_people SET asked = NULL, reason = NULL, due_at_ms = NULL WHERE id = ?
            """, [.integer(id)])
    }

    /// The service may ask the user again: they have answered. It is looked among the user's requests,
    /// which are few.
    func forgetAsked(by service: UserID, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM asked_people WHERE service_id = ? AND mark IN
                (SELECT asked FROM data_requests
                WHERE user_id = ? AND +service_id = ? AND answered_at_ms IS NULL
                    AND asked IS NOT NULL)
            """, [SQLValue(service), SQLValue(user), SQLValue(service)])
    }

    /// Deletes what was asked before then, and what nobody has answered since.
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
            let count = try driver.execute(statement, [SQLValue(time), .integer(Int64(limit))])
            if count >= limit { isMore = true }
        }
        return isMore
    }
}
