public import Contract
public import Tracking

/// What is left of erased users and closed groups. It is in the tables but in no answer: every
/// query that shows something to anybody excludes it. It is deleted in bounded steps; the tables
/// `closed_groups`, `erased_users`, `mentions` and `erasures` say what is left, in this order.
extension Transaction {
    /// The users whose rows are shown to nobody.
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

    /// Deletes a part of what is left.
    ///
    /// - Parameters:
    ///   - limit: the number of rows deleted or looked at.
    ///   - isMention: returns, for a name and a display name, a function that tells whether an
    ///     answer mentions their owner.
    /// - Returns: the number of rows; fewer than `limit` if nothing is left to do.
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

    /// Closes a group without members: neither the group nor its alerts and messages are found any
    /// longer.
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

    /// Messages keep their places in the chats, without author and text.
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

    /// What the erasing turn has deleted: a row that came since must not hold up the last step.
    private static let deletedBefore = ["path_groups", "trackers", "memberships"]

    private func eraseRest(of user: Int64, atMost limit: Int) throws(StoreError) -> Int {
        var rest = limit
        try eraseAlerts("user_id", user, &rest)
        for statement in Transaction.remains { try erase(statement, user, &rest) }
        guard rest > 0 else { return limit }
        for table in Transaction.deletedBefore {
            try driver.execute("DELETE FROM \(table) WHERE user_id = ?", [.integer(user)])
        }
        _ = try eraseFriends(of: UserID(rawValue: user))
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
    ///   - statement: changes the first rows of the owner; its first value is the owner's number,
    ///     its second the maximum number of rows.
    ///   - rest: how many more rows may be changed.
    private func erase(_ statement: String, _ owner: Int64, _ rest: inout Int)
        throws(StoreError)
    {
        guard rest > 0 else { return }
        rest -= try driver.execute(statement, [.integer(owner), .integer(Int64(rest))])
    }

    /// Deletes a few alerts at a time, after their acknowledgements.
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
            // The first alerts have no acknowledgements left.
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
