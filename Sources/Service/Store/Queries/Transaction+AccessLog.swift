public import Contract
public import Tracking

/// The log of access to people's data.
extension Transaction {
    /// - Parameters:
    ///   - entry: its ``AccessEntry/id`` is assigned.
    ///   - viewer: the user who looked.
    /// - Returns: the entry's id.
    @discardableResult
    public func log(_ entry: AccessEntry, of user: UserID, by viewer: UserID? = nil)
        throws(StoreError) -> Int64
    {
        var (service, company, share) = (SQLValue.null, SQLValue.null, SQLValue.null)
        switch entry.by {
        case .service(let name, let title): (service, company) = (.text(name.text), .text(title))
        case .link(let id): share = .text(id.description)
        case .user, .dispatch: break
        }
        return try one(
            """
            INSERT INTO access_log (user_id, at_ms, service, company, viewer_id, share, what, data,
                from_ms, to_ms, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                SQLValue(user), SQLValue(entry.at), service, company, SQLValue(viewer?.rawValue),
                share, .text(entry.what.rawValue), SQLValue(entry.seen?.data.rawValue),
                SQLValue(entry.seen?.time.lowerBound), SQLValue(entry.seen?.time.upperBound),
                entry.count.map { .integer(Int64($0)) } ?? .null,
            ]
        ) { try $0.integer(0) } ?? 0
    }

    /// Extends an entry by what a service received.
    ///
    /// - Parameter time: only if it was written since then.
    /// - Returns: whether there is such an entry.
    public func add(
        _ seen: AccessEntry.Seen?, _ count: Int, to entry: Int64, _ what: AccessEntry.What,
        of user: UserID, by service: Name, since time: Timestamp
    ) throws(StoreError) -> Bool {
        let earlier = try accessLog(
            "l.id = ? AND l.user_id = ? AND l.service = ? AND l.what = ? AND l.at_ms > ?",
            [
                .integer(entry), SQLValue(user), .text(service.text), .text(what.rawValue),
                SQLValue(time),
            ], "l.id", 1)
        guard let earlier = earlier.first else { return false }
        var all = earlier.seen ?? seen
        if let seen { all?.add(seen) }
        try driver.execute(
            "UPDATE access_log SET count = ?, data = ?, from_ms = ?, to_ms = ? WHERE id = ?",
            [
                .integer(Int64((earlier.count ?? 0) + count)), SQLValue(all?.data.rawValue),
                SQLValue(all?.time.lowerBound), SQLValue(all?.time.upperBound), .integer(entry),
            ])
        return true
    }

    /// Increments the count of the link's newest opening entry.
    public func countOpening(of share: UUIDv7, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            UPDATE access_log SET count = COALESCE(count, 1) + 1 WHERE id =
                (SELECT id FROM access_log WHERE user_id = ? AND share = ?
                ORDER BY id DESC LIMIT 1)
            """, [SQLValue(user), .text(share.description)])
    }

    /// Returns entries, the newest first.
    ///
    /// - Parameter before: only entries written before this one; nil for the newest.
    public func accessLog(of user: UserID, before: Int64?, limit: Int)
        throws(StoreError) -> [AccessEntry]
    {
        try accessLog(
            "l.user_id = ? AND l.id < ?", [SQLValue(user), .integer(before ?? .max)],
            "l.id DESC", limit)
    }

    /// Returns entries in the order of writing, after the given one.
    func accessLog(of user: UserID, after id: Int64, limit: Int)
        throws(StoreError) -> [AccessEntry]
    {
        try accessLog(
            "l.user_id = ? AND l.id > ?", [SQLValue(user), .integer(id)], "l.id", limit)
    }

    /// Returns the last thing that the log says about the service.
    public func lastAccess(of user: UserID, by service: Name)
        throws(StoreError) -> AccessEntry.What?
    {
        try accessLog(
            "l.user_id = ? AND l.service = ?", [SQLValue(user), .text(service.text)],
            "l.id DESC", 1
        ).first?.what
    }

    /// Returns when such a look by the viewer was last logged.
    public func lastLook(_ what: AccessEntry.What, at user: UserID, by viewer: UserID)
        throws(StoreError) -> Timestamp?
    {
        try one(
            """
            SELECT at_ms FROM access_log WHERE viewer_id = ? AND user_id = ? AND what = ?
            ORDER BY id DESC LIMIT 1
            """, [SQLValue(viewer), SQLValue(user), .text(what.rawValue)]
        ) { Timestamp(milliseconds: try $0.integer(0)) }
    }

    /// Reads entries, without those of erased viewers.
    private func accessLog(
        _ condition: String, _ values: [SQLValue], _ order: String, _ limit: Int
    ) throws(StoreError) -> [AccessEntry] {
        try all(
            """
            SELECT l.id, l.at_ms, l.service, l.company, u.name, u.display_name, l.share, l.what,
                l.count, l.data, l.from_ms, l.to_ms
            FROM access_log l LEFT JOIN users u ON u.id = l.viewer_id
            WHERE \(condition) AND (l.viewer_id IS NULL
                OR l.viewer_id NOT IN \(Transaction.erasedUsers))
            ORDER BY \(order) LIMIT ?
            """, values + [.integer(Int64(limit))]
        ) { row in
            guard let what = AccessEntry.What(rawValue: try row.text(7)),
                let by = try viewer(row, what)
            else { throw StoreError(.decode, reason: "an entry of the access log is damaged") }
            return AccessEntry(
                id: try row.integer(0), at: Timestamp(milliseconds: try row.integer(1)), by: by,
                what: what, seen: try seen(row), count: try row.optionalInteger(8).map { Int($0) })
        }
    }

    private func seen(_ row: any SQLRow) throws(StoreError) -> AccessEntry.Seen? {
        guard let data = try row.optionalInteger(9), let from = try row.optionalTime(10),
            let to = try row.optionalTime(11)
        else { return nil }
        return AccessEntry.Seen(SharedData(rawValue: data), from...max(from, to))
    }

    private func viewer(_ row: any SQLRow, _ what: AccessEntry.What)
        throws(StoreError) -> AccessEntry.By?
    {
        if [.called, .readForHelp].contains(what) { return .dispatch }
        if !row.isNull(2) { return .service(try row.name(2), company: try row.text(3)) }
        if !row.isNull(4) { return .user(try row.name(4), displayName: try row.text(5)) }
        return try row.optionalText(6).flatMap { UUIDv7($0) }.map { .link($0) }
    }
}
