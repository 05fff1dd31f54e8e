internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Tracking

/// SQLite through GRDB: with a write-ahead log, and every commit on disk before it is reported
/// (`synchronous = FULL`).
final class SQLiteDriver: Driver {
    let queue: DatabaseQueue
    let checkpoint: BackgroundCheckpoint
    /// The maximum wait of a transaction for other programs' locks.
    let patience: Duration
    /// Whether the write-ahead log is kept small.
    var isLogSmall = false
    /// Set while a transaction runs.
    private(set) var database: Database?
    private(set) var work: Int64 = 0

    /// - Parameter readOnly: for programs other than the bridge, which is the only writer.
    init(path: String, readOnly: Bool, patience: Duration) throws(StoreError) {
        self.patience = patience
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(TimeInterval(patience.milliseconds) / 1000)
        configuration.prepareDatabase { database in
            if !readOnly {
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA journal_size_limit = \(Store.usualLog)")
                // Deleted data is overwritten, not only marked as free (the default of Debian's
                // SQLite).
                try database.execute(sql: "PRAGMA secure_delete = ON")
            }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA foreign_keys = ON")
            try database.execute(sql: "PRAGMA cache_size = \(readOnly ? -8192 : -16384)")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            checkpoint = BackgroundCheckpoint(path: path)
            if !readOnly { queue.inDatabase { watchLog($0) } }
        } catch {
            throw StoreError(.open, error)
        }
    }

    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        precondition(database == nil, "transactions do not nest")
        var outcome: Result<Value, StoreError>?
        do {
            try queue.inTransaction(.immediate) { database in
                self.database = database
                defer { self.database = nil }
                outcome = Result { () throws(StoreError) in try body() }
                if case .success = outcome { return .commit }
                return .rollback
            }
        } catch {
            if case .failure(let first) = outcome { throw first }
            let operation: StoreError.Operation = outcome == nil ? .begin : .commit
            throw queue.inDatabase { failure(operation, error, $0) }
        }
        guard let outcome else { preconditionFailure("the body ran") }
        return try outcome.get()
    }

    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int {
        let database = current
        do {
            let statement = try database.cachedStatement(sql: sql)
            try statement.bind(values)
            defer { note(statement) }
            try statement.execute()
            let changes = database.changesCount
            work += WorkSteps.change * Int64(changes)
            return changes
        } catch {
            throw failure(.execute, error, database)
        }
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        let database = current
        var failure: StoreError?
        do {
            let statement = try database.cachedStatement(sql: sql)
            defer { note(statement) }
            let rows = try Row.fetchCursor(
                statement, arguments: SQLiteDriver.arguments(values))
            while let row = try rows.next(), failure == nil {
                do throws(StoreError) { try read(row) } catch { failure = error }
            }
        } catch {
            throw self.failure(.query, error, current)
        }
        if let failure { throw failure }
    }

    func foreignChanges() throws(StoreError) -> Int64 {
        do {
            return try queue.inDatabase {
                try Int64.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            }
        } catch {
            throw StoreError(.query, error)
        }
    }

    private func failure(
        _ operation: StoreError.Operation, _ error: any Error, _ database: Database
    ) -> StoreError {
        StoreError(operation, error)
            .caused(by: sqlite3_system_errno(database.sqliteConnection))
    }

    /// Adds the work of the statement since the last call.
    private func note(_ statement: Statement) {
        let steps = sqlite3_stmt_status(
            statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 1)
        work += WorkSteps.statement + Int64(steps)
    }

    func close() throws(StoreError) {
        do {
            try checkpoint.close()
            try queue.close()
        } catch {
            throw StoreError(.commit, error)
        }
    }

    private var current: Database {
        guard let database else { preconditionFailure("statements run inside a transaction") }
        return database
    }

    private static func arguments(_ values: [SQLValue]) -> StatementArguments {
        StatementArguments(values.map(\.databaseValue))
    }
}

extension Statement {
    /// Does the same as `StatementArguments`, without an additional array of values: a tenth of the
    /// bridge's work for a fix (docs/performance.md).
    fileprivate func bind(_ values: [SQLValue]) throws {
        setUncheckedArguments(StatementArguments())  // Forgets the earlier ones.
        var index: Int32 = 0
        for value in values {
            index += 1
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(sqliteStatement, index)
            case .integer(let value): code = sqlite3_bind_int64(sqliteStatement, index, value)
            case .real(let value): code = sqlite3_bind_double(sqliteStatement, index, value)
            case .text(let text):
                let length = Int32(text.utf8.count)
                code = sqlite3_bind_text(sqliteStatement, index, text, length, copied)
            case .blob(let bytes):
                code = bytes.withUnsafeBufferPointer {
                    // A null pointer would be bound as NULL.
                    $0.isEmpty
                        ? sqlite3_bind_zeroblob(sqliteStatement, index, 0)
                        : sqlite3_bind_blob(
                            sqliteStatement, index, $0.baseAddress, Int32($0.count), copied)
                }
            }
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }
}

/// `SQLITE_TRANSIENT`, which makes SQLite copy its input; it is a cast that Swift does not import.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension StoreError {
    init(_ operation: Operation, _ error: any Error) {
        if let error = error as? DatabaseError {
            self.init(
                operation, code: error.extendedResultCode.rawValue,
                reason: error.message ?? error.resultCode.description)
        } else {
            self.init(operation, reason: "\(type(of: error))")
        }
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): Data(value).databaseValue
        }
    }
}

extension Row: SQLRow {
    func isNull(_ column: Int) -> Bool { hasNull(atIndex: column) }

    func integer(_ column: Int) throws(StoreError) -> Int64 { try decoded(column) }
    func real(_ column: Int) throws(StoreError) -> Double { try decoded(column) }
    func text(_ column: Int) throws(StoreError) -> String { try decoded(column) }
    func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        let data: Data = try decoded(column)
        return Array(data)
    }

    private func decoded<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: Int
    ) throws(StoreError) -> Value {
        do {
            return try decode(Value.self, atIndex: column)
        } catch {
            throw StoreError(.decode, reason: "column \(column) is not what it should be")
        }
    }
}
