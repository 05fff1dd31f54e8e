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
        id = 0
        (self.service, self.company, self.mark) = (service, company, mark)
        (self.at, self.question) = (at, question)
    }

    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        id = try row.integer(0)
        service = UserID(rawValue: try row.integer(1))
        company = UserID(rawValue: try row.integer(2))
        mark = try row.blob(3)
        at = Timestamp(milliseconds: try row.integer(4))
        guard let asked = try row.optionalText(5), let due = try row.optionalTime(7) else {
            question = nil
            return
        }
        question = Question(asked: asked, reason: try row.optionalText(6) ?? "", due: due)
    }

    fileprivate static let columns =
        "id, service_id, company_id, mark, at_ms, asked, reason, due_at_ms"
}

/// Whom services have asked for.
extension Transaction {
    /// Replaces what the service has asked of the same before.
    public func save(_ row: AskedPersonRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO asked_people (service_id, company_id, mark, at_ms, asked, reason, due_at_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (service_id, mark) DO UPDATE SET at_ms = excluded.at_ms,
                asked = excluded.asked, reason = excluded.reason, due_at_ms = excluded.due_at_ms
            """,
            [
                SQLValue(row.service), SQLValue(row.company), .blob(row.mark), SQLValue(row.at),
                SQLValue(row.question?.asked), SQLValue(row.question?.reason),
                SQLValue(row.question?.due),
            ])
    }

    public func askedPerson(_ mark: [UInt8], by service: UserID) throws(StoreError)
        -> AskedPersonRow?
    {
        try one(
            """
            SELECT \(AskedPersonRow.columns) FROM asked_people WHERE service_id = ? AND mark = ?
            """, [SQLValue(service), .blob(mark)]
        ) { row throws(StoreError) in try AskedPersonRow(row) }
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
        try all(
            """
            SELECT \(AskedPersonRow.columns) FROM asked_people WHERE due_at_ms <= ?
            ORDER BY due_at_ms, id LIMIT ?
            """, [SQLValue(now), .integer(Int64(limit))]
        ) { row throws(StoreError) in try AskedPersonRow(row) }
    }

    /// Those of whom it is not looked up yet whom they mean, and that may mean this user.
    public func askedPeople(perhaps name: Name, atMost limit: Int)
        throws(StoreError) -> [AskedPersonRow]
    {
        try all(
            """
            SELECT \(AskedPersonRow.columns) FROM asked_people
            WHERE due_at_ms IS NOT NULL AND (asked = ? OR asked LIKE '#%')
            ORDER BY due_at_ms, id LIMIT ?
            """, [.text(name.text), .integer(Int64(limit))]
        ) { row throws(StoreError) in try AskedPersonRow(row) }
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
