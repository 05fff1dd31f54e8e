package import Contract
package import Tracking

/// A row of the table of tables: whom the rows of a table are about, and what becomes of them when
/// a user is erased or a group is closed.
package struct StoredTable: Sendable {
    package let name: String
    package let content: Content
    /// The rows of a user as items, if the table alone says what is in them. Others are exported by
    /// their areas (`AreaHandler.exported`, `Sources/Export`).
    package let items: Items?
    /// Counts the user's rows for the receipt, before the user leaves their groups.
    let count: Step?
    /// What the erasing turn does itself, so that nothing shows or identifies the user; it may
    /// count on the way.
    let hide: Step?
    let remainsOfUser: Remains?
    let remainsOfGroup: Remains?

    /// The type of its rows as items; nil if they are in no export.
    package var exportedType: String? {
        if case .exported(let type) = content { type } else { nil }
    }

    package var isErasedWithGroup: Bool { remainsOfGroup != nil }

    package enum Content: Sendable {
        /// About people, who get it as items of this type with `account.export`.
        case exported(String)
        /// About people, and in no export: decision 27 says why.
        case kept
        /// About nobody.
        case impersonal
    }

    /// - Parameters:
    ///   - place: that of the last row read so far, empty at the beginning.
    ///   - limit: the maximum number of rows.
    /// - Returns: the rows that follow; fewer than the limit at the end.
    package typealias Items =
        @Sendable (
            Transaction, UserID, _ place: String, _ limit: Int
        ) throws(StoreError) -> [ItemRow]

    /// A row as an item; nil if there is nothing to tell of it.
    package struct ItemRow: Sendable {
        /// Its place in the order of the rows; not empty.
        package let place: String
        package let item: ExportItem?
    }

    typealias Step = @Sendable (Transaction, UserID, inout ErasureCounts) throws(StoreError) -> Void

    /// How the rows of a user or a group are deleted, or made anonymous, a bounded number at a time.
    struct Remains: Sendable {
        /// The last value is how many more rows may be changed.
        let erase: @Sendable (Transaction, Int64, inout Int) throws(StoreError) -> Void

        /// - Parameter statement: changes the first rows of the owner; its first value is the
        ///   owner's number, its second the maximum number of rows.
        static func rows(_ statement: String) -> Remains {
            Remains { transaction, owner, rest throws(StoreError) in
                rest -= try transaction.driver.execute(
                    statement, [.integer(owner), .integer(Int64(rest))])
            }
        }
    }

    init(
        _ name: String, _ content: Content, items: Items? = nil, count: Step? = nil,
        hide: Step? = nil, remainsOfUser: Remains? = nil,
        remainsOfGroup: Remains? = nil
    ) {
        (self.name, self.content, self.items) = (name, content, items)
        (self.count, self.hide) = (count, hide)
        (self.remainsOfUser, self.remainsOfGroup) = (remainsOfUser, remainsOfGroup)
    }

    /// All tables, in the order in which they are erased: those with remains before the tables that
    /// they refer to.
    package static let all: [StoredTable] = [
        channels, runs, places, geofences, reminders, cohorts, history, vitals, monitoring,
        dispatch, maintenance, services, emergencies, chat, journeys, friends, invitations,
        shareLinks, groups, notices, requests, fixes, accounts, service,
    ].flatMap { $0 }
}

extension StoredTable {
    private static let requests = [
        StoredTable(
            "waiting_requests", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM waiting_requests WHERE id IN
                    (SELECT id FROM waiting_requests WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "replies", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM replies WHERE (device_id, request) IN
                    (SELECT r.device_id, r.request FROM devices d
                    JOIN replies r ON r.device_id = d.id WHERE d.user_id = ? LIMIT ?)
                """)),
        StoredTable("outbox", .kept),
        StoredTable("mentions", .kept),
        StoredTable("operator_requests", .kept),
    ]

    private static let fixes = [
        StoredTable("fixes", .exported("fix")),
        StoredTable("fix_runs", .kept),
        StoredTable("erasures", .kept),
        StoredTable(
            "trackers", .exported("state"),
            hide: { transaction, user, _ throws(StoreError) in
                try transaction.driver.execute(
                    "DELETE FROM trackers WHERE user_id = ?", [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                DELETE FROM trackers WHERE user_id IN
                    (SELECT user_id FROM trackers WHERE user_id = ? LIMIT ?)
                """)),
    ]

    private static let service = [
        StoredTable("access_changes", .kept),
        StoredTable("system_principals", .impersonal),
        StoredTable("migrations", .impersonal),
    ]
}
