public import Tracking

/// A stored alert, with the users who have seen it, in the order in which they did.
public struct AlertRow: Sendable {
    public let alert: Alert
    public let user: UserID
    public let acknowledgedBy: [UserID]
    /// The helpers' responses, in order.
    public let responses: [HelperResponse]

    public init(
        alert: Alert, user: UserID, acknowledgedBy: [UserID] = [], responses: [HelperResponse] = []
    ) {
        (self.alert, self.user) = (alert, user)
        (self.acknowledgedBy, self.responses) = (acknowledgedBy, responses)
    }
}

extension Transaction {
    /// Stores a new alert. One of the same id is the same call.
    public func insert(_ alert: Alert, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO alerts (id, group_id, user_id, document) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """,
            [
                .text(alert.id.description), SQLValue(alert.group), SQLValue(user),
                .text(Document.text(alert)),
            ])
    }

    /// Stores the alert's current content.
    public func update(_ alert: Alert) throws(StoreError) {
        try driver.execute(
            "UPDATE alerts SET document = ? WHERE id = ?",
            [.text(Document.text(alert)), .text(alert.id.description)])
    }

    public func alert(_ id: UUIDv7) throws(StoreError) -> AlertRow? {
        try alerts("AND id = ?", [.text(id.description)]).first
    }

    /// Returns a group's alerts, newest first.
    public func alerts(of group: GroupID, from first: UUIDv7? = nil, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [AlertRow]
    {
        try alerts(
            "AND group_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
            [
                // "g" sorts after every UUID.
                SQLValue(group), .text(first?.description ?? ""), .text(before?.description ?? "g"),
                .integer(Int64(limit)),
            ])
    }

    /// Returns the id from which a member sees the group's messages and alerts: that of their
    /// joining.
    ///
    /// - Returns: nil if the user is not a member.
    public func seenFrom(by user: UserID, in group: GroupID) throws(StoreError) -> UUIDv7? {
        try one(
            "SELECT chat_from FROM memberships WHERE group_id = ? AND user_id = ?",
            [SQLValue(group), SQLValue(user)]
        ) { UUIDv7(try $0.text(0)) } ?? nil
    }

    /// - Parameter condition: begins with AND.
    func alerts(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [AlertRow]
    {
        let found = try all(
            """
            SELECT user_id, document FROM alerts
            WHERE user_id NOT IN \(Transaction.erasedUsers)
                AND group_id NOT IN \(Transaction.closedGroups) \(condition)
            """, values
        ) { row in
            let alert = try Document.alert(try row.text(1))
            return (UserID(rawValue: try row.integer(0)), alert)
        }
        guard !found.isEmpty else { return [] }
        let list = SQLList(found.map { _, alert in .text(alert.id.description) })
        typealias Helper = (user: UserID, comingAt: Timestamp?, calledAt: Timestamp?)
        var helpers: [String: [Helper]] = [:]
        try each(
            """
            SELECT alert_id, user_id, coming_at_ms, called_at_ms FROM acknowledgements
            WHERE alert_id IN \(list.places) AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY at_ms, user_id
            """, list.values
        ) { row in
            let helper = (
                UserID(rawValue: try row.integer(1)), try row.optionalTime(2),
                try row.optionalTime(3)
            )
            helpers[try row.text(0), default: []].append(helper)
        }
        return found.map { user, alert in
            let seenBy = helpers[alert.id.description] ?? []
            let responses = seenBy.flatMap { helper in
                [(HelperResponse.Kind.coming, helper.comingAt), (.called, helper.calledAt)]
                    .compactMap { kind, at in
                        at.map {
                            HelperResponse(
                                user: helper.user, group: alert.group, kind: kind, at: $0)
                        }
                    }
            }
            return AlertRow(
                alert: alert, user: user, acknowledgedBy: seenBy.map { $0.user },
                responses: responses.sorted { $0.at < $1.at })
        }
    }

    /// Records an acknowledgement, unless the user has already acknowledged the alert.
    ///
    /// - Returns: whether it is the first.
    @discardableResult
    public func acknowledge(_ alert: UUIDv7, by user: UserID, at now: Timestamp)
        throws(StoreError) -> Bool
    {
        try driver.executeCounted(
            """
            INSERT INTO acknowledgements (alert_id, user_id, at_ms) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [.text(alert.description), SQLValue(user), SQLValue(now)]) > 0
    }

    /// Records the response of a helper who has seen the alert.
    ///
    /// - Returns: whether they give this response for the first time.
    public func respond(
        _ kind: HelperResponse.Kind, to alert: UUIDv7, by user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        let (column, first) =
            switch kind {
            case .coming: ("coming_at_ms", "not_coming_at_ms IS NULL")
            case .called: ("called_at_ms", "1 = 1")
            }
        let values = [SQLValue.text(alert.description), SQLValue(user)]
        let isFirst = try count(
            """
            SELECT COUNT(*) FROM acknowledgements
            WHERE alert_id = ? AND user_id = ? AND \(column) IS NULL AND \(first)
            """, values)
        try driver.execute(
            """
            UPDATE acknowledgements SET \(column) = ?
            WHERE alert_id = ? AND user_id = ? AND \(column) IS NULL
            """, [SQLValue(now)] + values)
        return isFirst > 0
    }

    /// Records that a helper is not coming after all, for all alerts of a call for help.
    ///
    /// - Parameter start: when the call began.
    /// - Returns: whether they withdraw for the first time.
    public func takeBackComing(
        of helper: UserID, to caller: UserID, in group: GroupID, since start: Timestamp,
        at now: Timestamp
    ) throws(StoreError) -> Bool {
        let condition = """
            user_id = ? AND coming_at_ms IS NOT NULL AND alert_id IN
                (SELECT id FROM alerts WHERE user_id = ? AND group_id = ? AND id >= ?)
            """
        let values = [
            SQLValue(helper), SQLValue(caller), SQLValue(group),
            .text(UUIDv7(at: start, random: (0, 0)).description),
        ]
        let isFirst = try count(
            "SELECT COUNT(*) FROM acknowledgements WHERE \(condition) AND not_coming_at_ms IS NULL",
            values)
        try driver.execute(
            """
            UPDATE acknowledgements
            SET coming_at_ms = NULL, not_coming_at_ms = COALESCE(not_coming_at_ms, ?)
            WHERE \(condition)
            """, [SQLValue(now)] + values)
        return isFirst > 0
    }
}
