public import Contract
public import Tracking

/// What erased users and closed groups leave. It is in the tables, and in no answer: every query
/// that shows something to anybody leaves it out. It goes a bounded part at a time, and the tables
/// `closed_groups`, `erased_users`, `mentions` and `erasures` say what is left, in this order.
extension Transaction {
    /// Whose rows are shown to nobody.
    static let erasedUsers = "(SELECT user_id FROM erased_users)"
    static let closedGroups = "(SELECT group_id FROM closed_groups)"

    /// Whether anything is left.
    public func hasErasures() throws(StoreError) -> Bool {
        try one(
            """
            SELECT EXISTS (SELECT 1 FROM closed_groups) + EXISTS (SELECT 1 FROM erased_users)
                + EXISTS (SELECT 1 FROM mentions) + EXISTS (SELECT 1 FROM erasures)
            """
        ) { row throws(StoreError) in try row.integer(0) > 0 } ?? false
    }

    /// Deletes a part of it.
    ///
    /// - Parameters:
    ///   - limit: rows that are deleted or looked at.
    ///   - isMention: makes of a name and a display name what tells whether an answer speaks of
    ///     their owner.
    /// - Returns: how many rows; fewer than `limit` when nothing is left to do.
    public func continueErasures(
        atMost limit: Int, isMention: (Name, String) -> ([UInt8]) -> Bool
    ) throws(StoreError) -> Int {
        var done = 0
        while done < limit, let group = try first("group_id", in: "closed_groups") {
            done += try eraseGroup(group, atMost: limit - done)
        }
        while done < limit, let user = try first("user_id", in: "erased_users") {
            done += try eraseRest(of: user, atMost: limit - done)
        }
        while done < limit, let mention = try mentions(atMost: 1).first {
            done += try eraseMentions(
                mention, atMost: limit - done, isMention(mention.name, mention.displayName))
        }
        return done < limit
            ? try done + continueFixErasures(atMost: limit - done) : done
    }

    // MARK: Groups

    /// Closes a group without members: nobody finds it any more, nor what was told to it.
    public func closeGroup(_ group: GroupID) throws(StoreError) {
        let parameters = [SQLValue(group)]
        try driver.execute("DELETE FROM path_groups WHERE group_id = ?", parameters)
        try driver.execute("UPDATE groups SET key = '#' || id, name = '' WHERE id = ?", parameters)
        try driver.execute("INSERT INTO closed_groups (group_id) VALUES (?)", parameters)
    }

    private func eraseGroup(_ group: Int64, atMost limit: Int) throws(StoreError) -> Int {
        var rest = limit
        try eraseAlerts("group_id", group, &rest)
        try erase(
            """
            DELETE FROM chat_messages WHERE id IN
                (SELECT id FROM chat_messages WHERE group_id = ? LIMIT ?)
            """, group, &rest)
        guard rest > 0 else { return limit }
        try driver.execute("DELETE FROM closed_groups WHERE group_id = ?", [.integer(group)])
        try driver.execute("DELETE FROM groups WHERE id = ?", [.integer(group)])
        return limit - rest + 1
    }

    // MARK: Users

    /// Messages keep their places in the chats, without who and what.
    private static let remains = [
        """
        DELETE FROM acknowledgements WHERE (alert_id, user_id) IN
            (SELECT alert_id, user_id FROM acknowledgements WHERE user_id = ? LIMIT ?)
        """,
        """
        UPDATE chat_messages SET user_id = NULL, text = NULL WHERE id IN
            (SELECT id FROM chat_messages WHERE user_id = ? LIMIT ?)
        """,
        """
        DELETE FROM path_points WHERE (user_id, number, taken_at_ms, fix_id) IN
            (SELECT user_id, number, taken_at_ms, fix_id FROM path_points WHERE user_id = ? LIMIT ?)
        """,
        """
        DELETE FROM paths WHERE (user_id, number) IN
            (SELECT user_id, number FROM paths WHERE user_id = ? LIMIT ?)
        """,
        """
        DELETE FROM waiting_requests WHERE id IN
            (SELECT id FROM waiting_requests WHERE user_id = ? LIMIT ?)
        """,
        """
        DELETE FROM replies WHERE (device_id, request) IN
            (SELECT r.device_id, r.request FROM devices d
            JOIN replies r ON r.device_id = d.id WHERE d.user_id = ? LIMIT ?)
        """,
        "DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = ? LIMIT ?)",
    ]

    private func eraseRest(of user: Int64, atMost limit: Int) throws(StoreError) -> Int {
        var rest = limit
        try eraseAlerts("user_id", user, &rest)
        for statement in Transaction.remains { try erase(statement, user, &rest) }
        guard rest > 0 else { return limit }
        try driver.execute("DELETE FROM erased_users WHERE user_id = ?", [.integer(user)])
        try driver.execute("DELETE FROM users WHERE id = ?", [.integer(user)])
        return limit - rest + 1
    }

    // MARK: Parts

    private func first(_ column: String, in table: String) throws(StoreError) -> Int64? {
        try one("SELECT \(column) FROM \(table) ORDER BY \(column) LIMIT 1") {
            row throws(StoreError) in try row.integer(0)
        }
    }

    /// - Parameters:
    ///   - statement: changes the first rows of the owner, whose number is the first value, and no
    ///     more than the second value says.
    ///   - rest: how many rows may be changed yet.
    private func erase(_ statement: String, _ owner: Int64, _ rest: inout Int)
        throws(StoreError)
    {
        guard rest > 0 else { return }
        rest -= try driver.execute(statement, [.integer(owner), .integer(Int64(rest))])
    }

    /// Some alerts at a time, and before them who has seen them.
    private func eraseAlerts(_ column: String, _ owner: Int64, _ rest: inout Int)
        throws(StoreError)
    {
        let some = "(SELECT id FROM alerts WHERE \(column) = ? ORDER BY id LIMIT ?)"
        while rest > 0 {
            let part = min(rest, Transaction.alertsAtATime)
            rest -= try driver.execute(
                """
                DELETE FROM acknowledgements WHERE (alert_id, user_id) IN
                    (SELECT alert_id, user_id FROM acknowledgements WHERE alert_id IN \(some) LIMIT ?)
                """, [.integer(owner), .integer(Int64(part)), .integer(Int64(rest))])
            // Those of the first ones are gone.
            let free = min(rest, part)
            guard free > 0 else { return }
            let deleted = try driver.execute(
                "DELETE FROM alerts WHERE id IN \(some)", [.integer(owner), .integer(Int64(free))])
            rest -= deleted
            guard deleted == free else { return }
        }
    }

    private static let alertsAtATime = 50
}
