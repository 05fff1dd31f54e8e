internal import Contract
internal import Tracking

extension StoredTable {
    static let services = [
        StoredTable(
            "access_log", .exported("access"),
            items: { transaction, user, last, limit in
                try transaction.accessLog(
                    of: user, after: Int64(last) ?? 0, limit: limit
                ).map { ItemRow(place: "\($0.id)", item: .access($0)) }
            },
            remainsOfUser: ofEither("access_log", ["user_id", "viewer_id"])),
        StoredTable(
            "data_requests", .exported("data-request"),
            items: { transaction, user, last, limit in
                try transaction.dataRequestItems(of: user, after: last, limit)
            },
            remainsOfUser: ofEither("data_requests", ["user_id", "service_id", "company_id"])),
        StoredTable(
            "asked_people", .kept,
            remainsOfUser: ofEither("asked_people", ["service_id", "company_id"])),
        StoredTable(
            "service_consents", .exported("service-consent"),
            items: { transaction, user, last, limit in
                try transaction.serviceConsentItems(of: user, after: last, limit)
            },
            remainsOfUser: ofEither("service_consents", ["user_id", "service_id"])),
        StoredTable(
            "paused_fixes", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM paused_fixes WHERE (user_id, first_id) IN
                    (SELECT user_id, first_id FROM paused_fixes WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "services", .exported("service"),
            items: { transaction, company, last, limit in
                try transaction.serviceItems(of: company, after: last, limit)
            },
            // A company's services are erased with it.
            remainsOfUser: ofEither("services", ["user_id", "company_id"], by: "user_id")),
    ]

    /// Deletes rows that refer to a user in one of these columns.
    private static func ofEither(
        _ table: String, _ columns: [String], by key: String = "id"
    ) -> Remains {
        Remains { transaction, user, rest in
            for column in columns where rest > 0 {
                rest -= try transaction.driver.executeCounted(
                    """
                    DELETE FROM \(table) WHERE \(key) IN
                        (SELECT \(key) FROM \(table) WHERE \(column) = ? LIMIT ?)
                    """, [.integer(user), .integer(Int64(rest))])
            }
        }
    }
}

/// Erased users' names no longer appear.
extension Transaction {
    fileprivate func dataRequestItems(of user: UserID, after last: String, _ limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT r.id, s.name, c.display_name, r.reason, r.at_ms, r.is_allowed, r.streams
            FROM data_requests r JOIN users s ON s.id = r.service_id
                JOIN users c ON c.id = r.company_id
            WHERE r.user_id = ? AND r.id > ? AND s.id NOT IN \(Transaction.erasedUsers)
            ORDER BY r.id LIMIT ?
            """, [SQLValue(user), .text(last), .integer(Int64(limit))]
        ) { row in
            StoredTable.ItemRow(
                place: try row.text(0),
                item: .dataRequest(
                    of: try row.name(1), company: try row.text(2), reason: try row.text(3),
                    at: Timestamp(milliseconds: try row.integer(4)),
                    isAllowed: try row.optionalInteger(5).map { $0 != 0 },
                    streams: try row.integer(6) != 0))
        }
    }

    fileprivate func serviceConsentItems(of user: UserID, after last: String, _ limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT k.id, s.name, c.display_name, k.at_ms, k.ended_at_ms, k.streams_since_ms
            FROM service_consents k JOIN users s ON s.id = k.service_id
                JOIN services o ON o.user_id = s.id JOIN users c ON c.id = o.company_id
            WHERE k.user_id = ? AND k.id > ? AND s.id NOT IN \(Transaction.erasedUsers)
            ORDER BY k.id LIMIT ?
            """, [SQLValue(user), .integer(Int64(last) ?? 0), .integer(Int64(limit))]
        ) { row in
            StoredTable.ItemRow(
                place: "\(try row.integer(0))",
                item: .serviceConsent(
                    to: try row.name(1), company: try row.text(2),
                    at: Timestamp(milliseconds: try row.integer(3)),
                    endedAt: try row.optionalTime(4), streamsSince: try row.optionalTime(5)))
        }
    }

    fileprivate func serviceItems(of company: UserID, after last: String, _ limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT o.user_id, s.name, s.display_name, c.display_name, o.description, o.data,
                s.created_at_ms, o.address
            FROM services o JOIN users s ON s.id = o.user_id JOIN users c ON c.id = o.company_id
            WHERE o.company_id = ? AND o.user_id > ? AND s.id NOT IN \(Transaction.erasedUsers)
            ORDER BY o.user_id LIMIT ?
            """, [SQLValue(company), .integer(Int64(last) ?? 0), .integer(Int64(limit))]
        ) { row in
            let description = ServiceDescription(
                service: try row.name(1), title: try row.text(2), company: try row.text(3),
                description: try row.text(4), data: SharedData(rawValue: try row.integer(5)),
                address: try row.optionalText(7))
            return StoredTable.ItemRow(
                place: "\(try row.integer(0))",
                item: .service(
                    description, createdAt: Timestamp(milliseconds: try row.integer(6))))
        }
    }
}
