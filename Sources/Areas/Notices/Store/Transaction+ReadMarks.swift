public import Contract
public import Tracking

/// A member's read marks and numbers of unread items in a group.
public struct ReadMarkRow: Hashable, Sendable {
    public let group: GroupID
    public let alerts: Int
    public let chat: Int
    /// The newest item that counts as seen; nil if none.
    public let alertsThrough: UUIDv7?
    public let chatThrough: UUIDv7?
}

extension Transaction {
    /// The number of a group's newest entries that are examined, and so the maximum count of each
    /// kind.
    public static let maximumUnread = 100

    /// Advances a member's read mark; never moves it back.
    ///
    /// - Parameter id: limited to the newest existing item.
    public func setSeen(
        _ what: NoticeCommand.Thing, through id: UUIDv7, of user: UserID, in group: GroupID
    ) throws(StoreError) {
        let (column, table) =
            switch what {
            case .alerts: ("alerts_seen", "alerts")
            case .chat: ("chat_seen", "chat_messages")
            }
        let newest = try one(
            "SELECT MAX(id) FROM \(table) WHERE group_id = ? AND id <= ?",
            [SQLValue(group), .text(id.description)]
        ) { try $0.optionalText(0) }
        guard let newest = newest ?? nil else { return }
        try driver.execute(
            """
            UPDATE memberships SET \(column) = ?
            WHERE group_id = ? AND user_id = ? AND (\(column) IS NULL OR \(column) < ?)
            """, [.text(newest), SQLValue(group), SQLValue(user), .text(newest)])
    }

    /// Recounts members' unread items in their groups: other members' messages, and alerts about
    /// others that the member has not acknowledged.
    public func countUnread(of members: [(user: UserID, group: GroupID)]) throws(StoreError) {
        guard !members.isEmpty else { return }
        let list = SQLList(rows: members.map { [SQLValue($0.group), SQLValue($0.user)] })
        let newest = "ORDER BY id DESC LIMIT \(Transaction.maximumUnread)"
        var changed: [[SQLValue]] = []
        try each(
            """
            SELECT m.alerts_unread, m.chat_unread,
                (SELECT COUNT(*) FROM
                    (SELECT a.id, a.user_id FROM alerts a
                    WHERE a.group_id = m.group_id AND a.id > COALESCE(m.alerts_seen, '')
                        AND a.id >= m.chat_from \(newest)) AS entries
                WHERE entries.user_id <> m.user_id
                    AND entries.user_id NOT IN \(Transaction.erasedUsers)
                    AND NOT EXISTS (SELECT 1 FROM acknowledgements k
                        WHERE k.alert_id = entries.id AND k.user_id = m.user_id)),
                (SELECT COUNT(*) FROM
                    (SELECT c.kind, c.user_id FROM chat_messages c
                    WHERE c.group_id = m.group_id AND c.id > COALESCE(m.chat_seen, '')
                        AND c.id >= m.chat_from \(newest)) AS entries
                WHERE entries.kind = 'message' AND entries.user_id <> m.user_id
                    AND entries.user_id NOT IN \(Transaction.erasedUsers)),
                m.group_id, m.user_id
            FROM memberships m WHERE (m.group_id, m.user_id) IN
                (SELECT column1, column2 FROM \(list.places) AS asked)
            """, list.values
        ) { row in
            let before = (try row.integer(0), try row.integer(1))
            let now = (try row.integer(2), try row.integer(3))
            guard before != now else { return }
            changed.append(
                [now.0, now.1, try row.integer(4), try row.integer(5)].map { .integer($0) })
        }
        guard !changed.isEmpty else { return }
        let counts = SQLList(rows: changed)
        try driver.execute(
            """
            UPDATE memberships SET alerts_unread = counted.column1, chat_unread = counted.column2
            FROM \(counts.places) AS counted
            WHERE memberships.group_id = counted.column3 AND memberships.user_id = counted.column4
            """, counts.values)
    }

    /// Returns the last counts of all users with unread items.
    public func unreadInGroups() throws(StoreError) -> [UserID: (alerts: Int, chat: Int)] {
        var counts: [UserID: (alerts: Int, chat: Int)] = [:]
        try each(
            """
            SELECT user_id, SUM(alerts_unread), SUM(chat_unread) FROM memberships
            WHERE alerts_unread > 0 OR chat_unread > 0 GROUP BY user_id
            """, []
        ) { row in
            counts[UserID(rawValue: try row.integer(0))] = (
                Int(try row.integer(1)), Int(try row.integer(2))
            )
        }
        return counts
    }

    /// Returns a user's read marks in each of their groups, in the order of joining.
    public func readMarks(of user: UserID) throws(StoreError) -> [ReadMarkRow] {
        try all(
            """
            SELECT group_id, alerts_unread, chat_unread, COALESCE(alerts_seen, chat_from),
                COALESCE(chat_seen, chat_from)
            FROM memberships WHERE user_id = ? ORDER BY id LIMIT ?
            """, [SQLValue(user), .integer(Int64(GroupSelection.maximum))]
        ) { row in
            ReadMarkRow(
                group: GroupID(rawValue: try row.integer(0)),
                alerts: Int(try row.integer(1)), chat: Int(try row.integer(2)),
                alertsThrough: try row.optionalText(3).flatMap { UUIDv7($0) },
                chatThrough: try row.optionalText(4).flatMap { UUIDv7($0) })
        }
    }

    /// Returns the members with unread items at the last count.
    public func unreadMemberships() throws(StoreError) -> [(group: GroupID, user: UserID)] {
        try all(
            """
            SELECT group_id, user_id FROM memberships
            WHERE alerts_unread > 0 OR chat_unread > 0 ORDER BY id
            """
        ) { row in (GroupID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1))) }
    }

    /// Marks the notice of an answered invitation as seen.
    public func markInvitationSeen(_ invitation: UUIDv7, by user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        var unseen: [SQLValue] = []
        try each(
            """
            SELECT id, details FROM notices
            WHERE user_id = ? AND kind = ? AND seen_at_ms IS NULL
            """, [SQLValue(user), .text(NoticeKind.invitedToGroup.filed)]
        ) { row in
            let news = Notice.News(
                filed: NoticeKind.invitedToGroup.filed, try row.blob(1))
            guard news?.text("invitation") == invitation.description else { return }
            unseen.append(.text(try row.text(0)))
        }
        guard !unseen.isEmpty else { return }
        let list = SQLList(unseen)
        try driver.execute(
            "UPDATE notices SET seen_at_ms = ? WHERE id IN \(list.places)",
            [SQLValue(now)] + list.values)
    }
}
