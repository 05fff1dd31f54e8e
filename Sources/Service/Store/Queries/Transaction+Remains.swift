public import Contract
public import Tracking

/// The remains of erased users and closed groups. They are in the tables but in no answer: every
/// query for visible data excludes them. They are deleted in bounded steps; the tables
/// `closed_groups`, `erased_users`, `mentions` and `erasures` list them, in this order.
extension Transaction {
    /// The users whose rows are not shown to anyone.
    static let erasedUsers = "(SELECT user_id FROM erased_users)"
    static let closedGroups = "(SELECT group_id FROM closed_groups)"

    /// Whether anything is left.
    public func hasErasures() throws(StoreError) -> Bool {
        try one(
            """
            SELECT EXISTS (SELECT 1 FROM closed_groups) OR EXISTS (SELECT 1 FROM erased_users)
                OR EXISTS (SELECT 1 FROM mentions) OR EXISTS (SELECT 1 FROM erasures)
            """
        ) { try $0.integer(0) > 0 } ?? false
    }

    /// Deletes part of the remains.
    ///
    /// - Parameters:
    ///   - limit: the number of rows deleted or checked.
    ///   - isMention: returns, for a name and a display name, a function that checks whether an
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

    /// Closes a group without members: the group, its alerts and its messages are no longer found.
    public func closeGroup(_ group: GroupID) throws(StoreError) {
        let parameters = [SQLValue(group)]
        try driver.execute("DELETE FROM path_groups WHERE group_id = ?", parameters)
        try driver.execute("UPDATE groups SET key = '#' || id, name = '' WHERE id = ?", parameters)
        try driver.execute("INSERT INTO closed_groups (group_id) VALUES (?)", parameters)
    }

    private func eraseGroup(_ group: Int64, atMost limit: Int) throws(StoreError) -> Int {
        let rest = try erase(StoredTable.all.compactMap(\.remainsOfGroup), of: group, limit)
        guard rest > 0 else { return limit }
        try driver.execute("DELETE FROM closed_groups WHERE group_id = ?", [.integer(group)])
        try driver.execute("DELETE FROM groups WHERE id = ?", [.integer(group)])
        return limit - rest + 1
    }

    // MARK: Users

    private func eraseRest(of user: Int64, atMost limit: Int) throws(StoreError) -> Int {
        let rest = try erase(StoredTable.all.compactMap(\.remainsOfUser), of: user, limit)
        guard rest > 0 else { return limit }
        try driver.execute("DELETE FROM erased_users WHERE user_id = ?", [.integer(user)])
        try driver.execute("DELETE FROM users WHERE id = ?", [.integer(user)])
        return limit - rest + 1
    }

    // MARK: Parts

    /// - Returns: the number of further rows that may be changed.
    private func erase(_ remains: [StoredTable.Remains], of owner: Int64, _ limit: Int)
        throws(StoreError) -> Int
    {
        var rest = limit
        for part in remains where rest > 0 {
            try StoreError.only { try part.erase(self, owner, &rest) }
        }
        return rest
    }

    private func first(_ column: String, in table: String) throws(StoreError) -> Int64? {
        try one("SELECT \(column) FROM \(table) ORDER BY \(column) LIMIT 1") { try $0.integer(0) }
    }
}
