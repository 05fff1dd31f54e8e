public import Contract
internal import Sealing
public import Tracking

/// The people counted, and their data.
extension Transaction {
    /// Returns the last complete hour; nil before the first.
    public func completeHour() throws(StoreError) -> Int? {
        try one("SELECT complete_hour FROM cohort_progress") { Int(try $0.integer(0)) }
    }

    public func setCompleteHour(_ hour: Int) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO cohort_progress (id, complete_hour) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET complete_hour = excluded.complete_hour
            """, [.integer(Int64(hour))])
    }

    // MARK: People

    /// Gives the person a number, if they have none.
    ///
    /// - Returns: when the person last deleted something.
    public func joinCohorts(_ user: UserID) throws(StoreError) -> Timestamp? {
        try driver.execute(
            "INSERT INTO cohort_people (user_id) VALUES (?) ON CONFLICT (user_id) DO NOTHING",
            [SQLValue(user)])
        return try one(
            "SELECT deleted_at_ms FROM cohort_people WHERE user_id = ?", [SQLValue(user)]
        ) { try $0.optionalTime(0) } ?? nil
    }

    /// Returns the people who consent to be counted and have a number, in the order of their ids.
    public func cohortMembers(after user: UserID, limit: Int) throws(StoreError) -> [CohortMember] {
        try all(
            """
            SELECT p.user_id, p.number, h.key_id, h.sealed FROM cohort_people p
                LEFT JOIN health_profiles h ON h.user_id = p.user_id
            WHERE p.user_id > ? AND p.user_id NOT IN \(Transaction.erasedUsers)
                AND EXISTS (SELECT 1 FROM vitals_consents c
                    WHERE c.user_id = p.user_id AND c.ended_at_ms IS NULL)
            ORDER BY p.user_id LIMIT ?
            """, [SQLValue(user), .integer(Int64(limit))]
        ) { row in
            let number = try row.integer(1)
            guard Transaction.memberNumbers.contains(number) else {
                throw StoreError(.decode, reason: "the number of a member of cohorts is damaged")
            }
            return CohortMember(
                user: UserID(rawValue: try row.integer(0)), number: Int(number),
                profile: row.isNull(2)
                    ? nil : SealingKeys.Sealed(key: try row.integer(2), bytes: try row.blob(3)))
        }
    }

    /// Assigned in sequence, from 1: a set of contributors has a bit for each number up to the
    /// largest.
    private static let memberNumbers: Range<Int64> = 0..<1 << 30

    // MARK: Days

    public func save(_ day: CohortDayRow) throws(StoreError) {
        try save(day, CohortDayRow.record)
    }

    public func cohortDays(of user: UserID, in days: Range<Int>)
        throws(StoreError) -> [CohortDayRow]
    {
        try cohortDays(
            "WHERE user_id = ? AND day >= ? AND day < ? ORDER BY day",
            [
                SQLValue(user), .integer(Int64(days.lowerBound)),
                .integer(Int64(days.upperBound)),
            ])
    }

    /// Returns some days that an older key opens, after the given one.
    public func cohortDays(
        sealedBefore key: Int64, after place: (user: UserID, day: Int), limit: Int
    ) throws(StoreError) -> [CohortDayRow] {
        try cohortDays(
            "WHERE key_id < ? AND (user_id, day) > (?, ?) ORDER BY user_id, day LIMIT ?",
            [
                .integer(key), SQLValue(place.user), .integer(Int64(place.day)),
                .integer(Int64(limit)),
            ])
    }

    private func cohortDays(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [CohortDayRow]
    {
        try rows(CohortDayRow.record, rest, values)
    }

    // MARK: Deleting

    /// Removes the data of these days from cohorts, including data that is being read now.
    ///
    /// - Parameter days: nil for all.
    public func leaveCohorts(
        _ user: UserID, _ data: SharedData, days: ClosedRange<Int>?, at now: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO cohort_people (user_id, deleted_at_ms) VALUES (?, ?)
            ON CONFLICT (user_id) DO UPDATE SET deleted_at_ms = excluded.deleted_at_ms
            """, [SQLValue(user), SQLValue(now)])
        let stretch: [SQLValue] = [
            SQLValue(user), .integer(Int64(days?.lowerBound ?? .min)),
            .integer(Int64(days?.upperBound ?? .max)),
        ]
        for change in Transaction.clearing(data) {
            try driver.execute(
                """
                UPDATE cohort_days SET \(change) WHERE user_id = ? AND day >= ? AND day <= ?
                """, stretch)
        }
    }

    private static func clearing(_ data: SharedData) -> [String] {
        (data.contains(.vitals) ? ["vitals = NULL, key_id = NULL"] : [])
            + (data.contains(.positions) ? ["positions = NULL"] : [])
    }

    /// Deletes older days.
    ///
    /// - Parameters:
    ///   - vitals: the first day whose vital signs are kept.
    ///   - positions: the first day whose positions are kept.
    /// - Returns: whether there may be more.
    public func deleteCohortDays(
        vitalsBefore vitals: Int, positionsBefore positions: Int, atMost limit: Int
    ) throws(StoreError) -> Bool {
        var isMore = false
        for (statement, day) in [
            (
                """
                UPDATE cohort_days SET vitals = NULL, key_id = NULL WHERE (user_id, day) IN
                    (SELECT user_id, day FROM cohort_days
                    WHERE day < ? AND vitals IS NOT NULL ORDER BY day LIMIT ?)
                """, vitals
            ),
            (
                """
                UPDATE cohort_days SET positions = NULL WHERE (user_id, day) IN
                    (SELECT user_id, day FROM cohort_days
                    WHERE day < ? AND positions IS NOT NULL ORDER BY day LIMIT ?)
                """, positions
            ),
            (
                """
                DELETE FROM cohort_days WHERE (user_id, day) IN
                    (SELECT user_id, day FROM cohort_days WHERE day < ? ORDER BY day LIMIT ?)
                """, min(vitals, positions)
            ),
        ] {
            let count = try driver.executeCounted(
                statement, [.integer(Int64(day)), .integer(Int64(limit))])
            if count >= limit { isMore = true }
        }
        return isMore
    }
}
