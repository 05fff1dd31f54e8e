package import Contract
package import Tracking

/// A row of the table of tables: the subjects of a table's rows, and their handling when a user is
/// erased or a group is closed.
package struct StoredTable: Sendable {
    package let name: String
    package let content: Content
    /// A user's rows as items, if the table alone defines their content. Others are exported by
    /// their areas (`AreaHandler.exported`, `Sources/Service/Export`).
    package let items: Items?
    /// Counts the user's rows for the receipt, before the user leaves their groups.
    let count: Step?
    /// The erasing turn's own work, so that nothing shows or identifies the user; it may also
    /// count.
    let hide: Step?
    let remainsOfUser: Remains?
    let remainsOfGroup: Remains?

    /// The item type of its rows; nil if they are not exported.
    package var exportedType: String? {
        if case .exported(let type) = content { type } else { nil }
    }

    package var isErasedWithGroup: Bool { remainsOfGroup != nil }

    package enum Content: Sendable {
        /// About people, who receive it as items of this type with `account.export`.
        case exported(String)
        /// About people, and not exported: decision 7 gives the reasons.
        case kept
        /// Not about people.
        case impersonal
    }

    /// - Parameters:
    ///   - place: the place of the last row read so far, empty at the beginning.
    ///   - limit: the maximum number of rows.
    /// - Returns: the rows that follow; fewer than the limit at the end.
    package typealias Items =
        @Sendable (Transaction, UserID, _ place: String, _ limit: Int) throws -> [ItemRow]

    /// A row as an item; nil if there is nothing to export.
    package struct ItemRow: Sendable {
        /// Its place in the order of the rows; not empty.
        package let place: String
        package let item: ExportItem?
    }

    typealias Step = @Sendable (Transaction, UserID, inout ErasureCounts) throws -> Void

    /// The deletion or anonymisation of a user's or a group's rows, a bounded number at a time.
    struct Remains: Sendable {
        /// The last value is the number of further rows that may be changed.
        let erase: @Sendable (Transaction, Int64, inout Int) throws -> Void

        /// - Parameter statement: changes the first rows of the owner; its first value is the
        ///   owner's number, its second the maximum number of rows.
        static func rows(_ statement: String) -> Remains {
            Remains { transaction, owner, rest in
                rest -= try transaction.driver.executeCounted(
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
            hide: { transaction, user, _ in
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
