public import Contract
public import Tracking

/// A stored notice.
public struct NoticeRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let news: Notice.News
    /// The person whom it is about, with their name at that time.
    public let about: About?
    public let by: UserID?
    public let at: Timestamp
    public let isSeen: Bool

    public struct About: Hashable, Sendable {
        public let user: UserID
        public let name: String

        public init(user: UserID, name: String) {
            self.user = user
            self.name = name
        }
    }

    public init(
        id: UUIDv7, user: UserID, news: Notice.News, about: About?, by: UserID?, at: Timestamp,
        isSeen: Bool = false
    ) {
        self.id = id
        self.user = user
        self.news = news
        self.about = about
        self.by = by
        self.at = at
        self.isSeen = isSeen
    }

    static let record = Record<NoticeRow>(
        "notices", Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("kind", "details", type: .news, \.news),
        Column("about_id", "about_name", type: .about, \.about),
        Column("by_id", .null(or: .number), \.by),
        Column(following: "by_id IS NOT NULL AND by_id IN \(Transaction.erasedUsers)", .flag),
        Column("at_ms", .time, \.at), Column("seen_at_ms", .null(or: .time), \.seenAt)
    ) { id, user, news, about, by, isErased, at, seenAt in
        NoticeRow(
            id: id, user: user, news: news, about: about, by: isErased ? nil : by, at: at,
            isSeen: seenAt != nil)
    }

    /// The value of a new notice.
    private var seenAt: Timestamp? { isSeen ? at : nil }
}

extension ColumnType where Value == Notice.News {
    /// The name under which its kind is filed, and its content.
    static let news = ColumnType(width: 2) { row, place in
        Notice.News(filed: try row.text(place), try row.blob(place + 1))
    } write: {
        [.text($0.kind.filed), .blob($0.stored)]
    }
}

extension ColumnType where Value == NoticeRow.About? {
    static let about = ColumnType(width: 2) { row, place in
        guard let user = try row.optionalInteger(place),
            let name = try row.optionalText(place + 1)
        else { return .some(nil) }
        return .init(user: UserID(rawValue: user), name: name)
    } write: {
        [SQLValue($0?.user.rawValue), SQLValue($0?.name)]
    }
}

extension Transaction {
    public func insert(_ notice: NoticeRow) throws(StoreError) {
        try insert(notice, NoticeRow.record)
    }

    /// The user who caused a notice, if known.
    private static let source = "COALESCE(by_id, about_id)"

    /// Returns the user's unseen notices that a new one replaces.
    ///
    /// - Parameter source: the user who caused them.
    public func unseenNotices(of user: UserID, like news: Notice.News, by source: UserID?)
        throws(StoreError) -> [(id: UUIDv7, news: Notice.News)]
    {
        guard let thing = news.thing else { return [] }
        let kinds = news.kind.replaced
        let found = try all(
            """
            SELECT id, kind, details FROM notices
            WHERE user_id = ? AND seen_at_ms IS NULL
                AND kind IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))
                AND \(Transaction.source) IS NOT DISTINCT FROM ?
            """,
            [SQLValue(user)] + kinds.map { SQLValue.text($0) }
                + [source.map { SQLValue($0) } ?? .null]
        ) { row throws(StoreError) -> (id: UUIDv7, news: Notice.News)? in
            guard let id = UUIDv7(try row.text(0)),
                let earlier = Notice.News(filed: try row.text(1), try row.blob(2)),
                earlier.thing == thing
            else { return nil }
            return (id, earlier)
        }
        return found.compactMap { $0 }
    }

    /// Deletes the notices that a new one replaces.
    ///
    /// - Returns: their ids.
    public func deleteUnseenNotices(
        of user: UserID, like news: Notice.News, by source: UserID?
    ) throws(StoreError) -> [UUIDv7] {
        let ids = try unseenNotices(of: user, like: news, by: source).map(\.id)
        for id in ids {
            try driver.execute("DELETE FROM notices WHERE id = ?", [.text(id.description)])
        }
        return ids
    }

    /// Limits the user's notices of a share. The oldest notices of the user who caused most of them
    /// are deleted, so that no sender displaces another's.
    public func keepNotices(of user: UserID, _ share: Notice.News.Share, atMost limit: Int)
        throws(StoreError)
    {
        let kinds = share.kinds
        let listed = kinds ?? Notice.News.Share.allCases.flatMap { $0.kinds ?? [] }
        let isIn = kinds == nil ? "NOT IN" : "IN"
        let places = listed.map { _ in "?" }.joined(separator: ", ")
        let condition = "user_id = ? AND kind \(isIn) (\(places))"
        let values = [SQLValue(user)] + listed.map { SQLValue.text($0) }
        let source = "COALESCE(\(Transaction.source), 0)"
        let count = try count("SELECT COUNT(*) FROM notices WHERE \(condition)", values)
        for _ in 0..<max(0, count - limit) {
            let busiest = try one(
                """
                SELECT \(source) FROM notices WHERE \(condition)
                GROUP BY 1 ORDER BY COUNT(*) DESC, MIN(id) LIMIT 1
                """, values
            ) { try $0.integer(0) }
            try driver.execute(
                """
                DELETE FROM notices WHERE id =
                    (SELECT MIN(id) FROM notices WHERE \(condition) AND \(source) = ?)
                """, values + [.integer(busiest ?? 0)])
        }
    }

    /// Returns a user's notices, the newest first, without those about users who have been erased.
    public func notices(of user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [NoticeRow]
    {
        // "g" sorts after every UUID.
        try notices(of: user, "id < ? ORDER BY id DESC", before?.description ?? "g", limit)
    }

    /// Returns the same, the oldest first; `last` is an id, or empty at the beginning.
    func notices(of user: UserID, after last: String, limit: Int) throws(StoreError) -> [NoticeRow]
    {
        try notices(of: user, "id > ? ORDER BY id", last, limit)
    }

    private func notices(of user: UserID, _ order: String, _ id: String, _ limit: Int)
        throws(StoreError) -> [NoticeRow]
    {
        try rows(
            NoticeRow.record, "WHERE user_id = ? AND \(Transaction.isShown) AND \(order) LIMIT ?",
            [SQLValue(user), .text(id), .integer(Int64(limit))])
    }

    /// - Returns: the number of notices newly marked.
    @discardableResult
    public func markNoticesSeen(of user: UserID, through id: UUIDv7, at now: Timestamp)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            UPDATE notices SET seen_at_ms = ?
            WHERE user_id = ? AND id <= ? AND seen_at_ms IS NULL
            """, [SQLValue(now), SQLValue(user), .text(id.description)])
    }

    /// Returns the numbers of what each of the users has not seen: in groups, the last counts.
    public func unread(of users: [UserID]) throws(StoreError) -> [UserID: UnreadMessage] {
        guard !users.isEmpty else { return [:] }
        let list = SQLList(users.map { SQLValue($0) })
        var unread: [UserID: UnreadMessage] = [:]
        try each(
            """
            SELECT u.id,
                (SELECT COUNT(*) FROM notices
                WHERE user_id = u.id AND seen_at_ms IS NULL AND \(Transaction.isShown)),
                (SELECT COALESCE(SUM(alerts_unread), 0) FROM memberships WHERE user_id = u.id),
                (SELECT COALESCE(SUM(chat_unread), 0) FROM memberships WHERE user_id = u.id)
            FROM users u WHERE u.id IN \(list.places)
            """, list.values
        ) { row in
            unread[UserID(rawValue: try row.integer(0))] = UnreadMessage(
                notices: Int(try row.integer(1)), alerts: Int(try row.integer(2)),
                chat: Int(try row.integer(3)))
        }
        return unread
    }

    /// Returns the numbers of all users with unseen notices.
    public func unseenNotices() throws(StoreError) -> [UserID: Int] {
        var counts: [UserID: Int] = [:]
        try each(
            """
            SELECT user_id, COUNT(*) FROM notices
            WHERE seen_at_ms IS NULL AND \(Transaction.isShown) GROUP BY user_id
            """, []
        ) { row in counts[UserID(rawValue: try row.integer(0))] = Int(try row.integer(1)) }
        return counts
    }

    /// Returns the users with an unseen notice that will be deleted with this user.
    public func usersWithUnseenNotice(of user: UserID) throws(StoreError) -> [UserID] {
        try all(
            """
            SELECT DISTINCT user_id FROM notices WHERE seen_at_ms IS NULL
                AND (about_id = ? OR (by_id = ? AND kind = '\(NoticeKind.observerAdded.filed)'))
            """, [SQLValue(user), SQLValue(user)]
        ) { UserID(rawValue: try $0.integer(0)) }
    }

    private static let isShown = """
        (about_id IS NULL OR about_id NOT IN \(erasedUsers))
            AND NOT (kind = '\(NoticeKind.observerAdded.filed)' AND by_id IS NOT NULL
                AND by_id IN \(erasedUsers))
        """

    // MARK: Retention

    /// Deletes notices from before a moment, the oldest first.
    ///
    /// - Returns: the number of notices deleted, and the users who had not seen all of theirs.
    public func deleteNotices(from before: Timestamp, atMost limit: Int)
        throws(StoreError) -> (count: Int, users: [UserID])
    {
        let values = [SQLValue(before), .integer(Int64(limit))]
        let users = try all(
            """
            SELECT DISTINCT user_id FROM (
                SELECT user_id, seen_at_ms FROM notices WHERE at_ms < ? ORDER BY at_ms, id LIMIT ?
            ) AS old WHERE seen_at_ms IS NULL
            """, values
        ) { UserID(rawValue: try $0.integer(0)) }
        let count = try driver.executeCounted(
            """
            DELETE FROM notices WHERE id IN
                (SELECT id FROM notices WHERE at_ms < ? ORDER BY at_ms, id LIMIT ?)
            """, values)
        return (count, users)
    }
}
