public import Tracking

/// Questions about cohorts and their answers.
extension Transaction {
    /// - Parameters:
    ///   - answer: its ``CohortAnswerRow/id`` is assigned.
    ///   - contributors: by part, preferably sorted.
    public func insert(_ answer: CohortAnswerRow, contributors: [(part: String, numbers: [UInt8])])
        throws(StoreError)
    {
        let id = try insertNumbered(answer, CohortAnswerRow.record)
        try insertAll(
            "INSERT INTO cohort_contributors (answer_id, part, numbers)",
            contributors.map { [.integer(id), .text($0.part), .blob($0.numbers)] })
    }

    /// Returns the number of the last answer; 0 if there is none.
    public func lastCohortAnswer() throws(StoreError) -> Int64 {
        try one("SELECT COALESCE(MAX(id), 0) FROM cohort_answers") { try $0.integer(0) } ?? 0
    }

    /// Returns the answers whose windows overlap this one, in the order in which they were given.
    public func cohortAnswers(overlapping window: Range<Int>)
        throws(StoreError) -> [CohortAnswerRow]
    {
        try cohortAnswers(
            "WHERE to_hour > ? AND from_hour < ? ORDER BY id",
            [.integer(Int64(window.lowerBound)), .integer(Int64(window.upperBound))])
    }

    /// Returns the answer to the same question.
    public func cohortAnswer(to filter: String, in window: Range<Int>)
        throws(StoreError) -> String?
    {
        try cohortAnswers(
            "WHERE to_hour = ? AND from_hour = ? AND filter = ? ORDER BY id LIMIT 1",
            [
                .integer(Int64(window.upperBound)), .integer(Int64(window.lowerBound)),
                .text(filter),
            ]
        ).first?.answer
    }

    private func cohortAnswers(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [CohortAnswerRow]
    {
        try rows(CohortAnswerRow.record, rest, values)
    }

    /// Returns the contributors to each part of an answer.
    ///
    /// - Parameter part: nil for all.
    public func cohortContributors(of answer: Int64, part: String? = nil)
        throws(StoreError) -> [(part: String, numbers: [UInt8])]
    {
        try all(
            """
            SELECT part, numbers FROM cohort_contributors
            WHERE answer_id = ? \(part == nil ? "" : "AND part = ?")
            """, [.integer(answer)] + (part.map { [.text($0)] } ?? [])
        ) { row in (try row.text(0), try row.blob(1)) }
    }

    /// Deletes answers about windows that can no longer be queried.
    ///
    /// - Parameter hour: the hour by which they ended.
    /// - Returns: whether there may be more.
    public func deleteCohortAnswers(endedBy hour: Int, atMost limit: Int)
        throws(StoreError) -> Bool
    {
        let old = "(SELECT id FROM cohort_answers WHERE to_hour <= ? ORDER BY to_hour, id LIMIT ?)"
        let values: [SQLValue] = [.integer(Int64(hour)), .integer(Int64(max(limit / 100, 1)))]
        try driver.execute(
            "DELETE FROM cohort_contributors WHERE answer_id IN \(old)", values)
        return try driver.executeCounted("DELETE FROM cohort_answers WHERE id IN \(old)", values)
            >= max(limit / 100, 1)
    }

    // MARK: Refusals

    public func noteCohortRefusal(of requester: UserID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "INSERT INTO cohort_refusals (requester_id, at_ms) VALUES (?, ?)",
            [SQLValue(requester), SQLValue(now)])
    }

    public func countCohortRefusals(of requester: UserID, since time: Timestamp)
        throws(StoreError) -> Int
    {
        try count(
            "SELECT COUNT(*) FROM cohort_refusals WHERE requester_id = ? AND at_ms >= ?",
            [SQLValue(requester), SQLValue(time)])
    }

    /// - Returns: whether there may be more.
    public func deleteCohortRefusals(before time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Bool
    {
        try driver.executeCounted(
            """
            DELETE FROM cohort_refusals WHERE at_ms < ?
                AND id < (SELECT COALESCE(MIN(id), 0) FROM cohort_refusals) + ?
            """, [SQLValue(time), .integer(Int64(limit))]) >= limit
    }

    // MARK: Subscriptions

    public func cohortSubscriptions() throws(StoreError) -> [CohortSubscription] {
        try rows(
            CohortSubscription.record,
            "WHERE service_id NOT IN \(Transaction.erasedUsers) ORDER BY id")
    }

    public func save(_ subscription: CohortSubscription) throws(StoreError) {
        try save(subscription, CohortSubscription.record)
    }

    public func deleteCohortSubscription(_ id: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM cohort_subscriptions WHERE id = ?", [.text(id.description)])
    }
}
