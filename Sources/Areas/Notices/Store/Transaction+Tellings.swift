public import Contract
public import Tracking

/// News for many people, delivered to some in each turn, and the remaining readers.
public struct TellingRow: Hashable, Sendable {
    public internal(set) var id: Int64
    public let news: Notice.News
    public let about: NoticeRow.About?
    public private(set) var by: UserID?
    /// The user whose budget pays.
    public private(set) var payer: UserID?
    public var readers: [UserID]

    /// Creates a row that is not stored yet.
    public init(
        _ news: Notice.News, about: NoticeRow.About?, by: UserID?, payer: UserID?,
        readers: [UserID]
    ) {
        (id, self.news, self.about, self.by) = (0, news, about, by)
        (self.payer, self.readers) = (payer, readers)
    }

    /// Whether it is the same news, regardless of the readers.
    public func tellsSame(as other: TellingRow) -> Bool {
        (news, about, by, payer) == (other.news, other.about, other.by, other.payer)
    }

    /// Removes an erased user's name.
    public mutating func forget(_ user: UserID) {
        if by == user { by = nil }
        if payer == user { payer = nil }
    }

    static let record = Record<TellingRow>(
        "tellings", Column("id", .integer, \.id),
        Column("kind", "details", type: .news, \.news),
        Column("about_id", "about_name", type: .about, \.about),
        Column("by_id", .null(or: .number), \.by), Column("payer_id", .null(or: .number), \.payer),
        Column("readers", .readers, \.readers)
    ) { id, news, about, by, payer, readers in
        var telling = TellingRow(news, about: about, by: by, payer: payer, readers: readers)
        telling.id = id
        return telling
    }
}

extension ColumnType where Value == [UserID] {
    /// Eight bytes per reader.
    fileprivate static let readers = ColumnType { row, place in
        let stored = try row.blob(place)
        return stride(from: 0, to: stored.count - stored.count % 8, by: 8).map { start in
            UserID(rawValue: stored[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) })
        }
    } write: { readers in
        let bytes = readers.flatMap { reader in
            (0..<8).map { UInt8(truncatingIfNeeded: reader.rawValue >> (56 - 8 * $0)) }
        }
        return [.blob(bytes)]
    }
}

extension Migration {
    /// `readers`: the numbers of the remaining users.
    static let tellingTables = [
        """
        CREATE TABLE tellings (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            details BLOB NOT NULL,
            about_id INTEGER REFERENCES users (id),
            about_name TEXT,
            by_id INTEGER REFERENCES users (id),
            payer_id INTEGER REFERENCES users (id),
            readers BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX tellings_about ON tellings (about_id) WHERE about_id IS NOT NULL",
        "CREATE INDEX tellings_by ON tellings (by_id) WHERE by_id IS NOT NULL",
        "CREATE INDEX tellings_of_payer ON tellings (payer_id) WHERE payer_id IS NOT NULL",
    ]
}

extension StoredTable {
    static let tellings = StoredTable(
        "tellings", .kept,
        // News of a user's actions is still delivered, without the user; news about them is
        // dropped.
        hide: { transaction, user, _ in
            for statement in [
                "DELETE FROM tellings WHERE about_id = ?",
                "UPDATE tellings SET by_id = NULL WHERE by_id = ?",
                "UPDATE tellings SET payer_id = NULL WHERE payer_id = ?",
            ] {
                try transaction.driver.execute(statement, [SQLValue(user)])
            }
        })
}

extension Transaction {
    /// - Returns: the row with its number.
    public func insert(_ telling: TellingRow) throws(StoreError) -> TellingRow {
        var telling = telling
        telling.id = try insertNumbered(telling, TellingRow.record)
        return telling
    }

    public func deleteTelling(_ id: Int64) throws(StoreError) {
        try driver.execute("DELETE FROM tellings WHERE id = ?", [.integer(id)])
    }

    /// Returns the rows, the next one first.
    public func tellings() throws(StoreError) -> [TellingRow] {
        try rows(TellingRow.record, "ORDER BY id")
    }
}
