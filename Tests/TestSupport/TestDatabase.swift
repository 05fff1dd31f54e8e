import Dispatch
import Foundation
public import Store
import Synchronization
public import Testing
import Tracking

/// The database of a test: a file in a directory of its own; or, if `KITH_TEST_POSTGRESQL` is the
/// URI of a PostgreSQL database, a schema in that, which later tests use again.
public final class TestDatabase {
    public let address: DatabaseAddress
    /// Nil if it is a file.
    public var uri: String? { address.server }
    private let directory: TemporaryDirectory
    private let schema: Int?

    /// The URI of the database; nil: tests use SQLite.
    public static let server = ProcessInfo.processInfo.environment["KITH_TEST_POSTGRESQL"]
    private static let process = ProcessInfo.processInfo.processIdentifier
    /// The schemas that no test uses, and the number of the next new one.
    private static let schemas = Mutex<(free: [Int], next: Int)>(([], 0))

    /// A new file, or the newest schema without users.
    ///
    /// - Parameter file: a SQLite database to begin with; nil for none.
    public init(copyOf file: String? = nil) throws {
        directory = try TemporaryDirectory()
        let path = directory.path + "/kith.sqlite"
        guard let server = TestDatabase.server, file == nil else {
            if let file { try FileManager.default.copyItem(atPath: file, toPath: path) }
            address = DatabaseAddress(path)
            schema = nil
            return
        }
        let (number, isNew) = TestDatabase.schemas.withLock { schemas in
            if let number = schemas.free.popLast() { return (number, false) }
            schemas.next += 1
            return (schemas.next, true)
        }
        schema = number
        address = DatabaseAddress(
            path, server: TestDatabase.uri(server, "kith_\(TestDatabase.process)_\(number)"))
        if isNew { try TestDatabase.create(address, in: server) }
        try TestDatabase.run(TestDatabase.emptying, in: address)
    }

    deinit {
        guard let schema else { return }
        TestDatabase.schemas.withLock { $0.free.append(schema) }
    }

    private static func uri(_ server: String, _ schema: String) -> String {
        "\(server)\(server.contains("?") ? "&" : "?")options=-csearch_path%3D\(schema)"
    }

    private static func create(_ address: DatabaseAddress, in server: String) throws {
        try initial.get()
        let name = address.server?.split(separator: "%3D").last ?? ""
        try run("CREATE SCHEMA \(name)", in: DatabaseAddress("", server: server))
        _ = try Store.open(address, at: .day)
    }

    /// Makes the schema with what a new database contains.
    private static let initial = Result {
        guard let server else { return }
        let name = "kith_initial_\(process)"
        try run("CREATE SCHEMA \(name)", in: DatabaseAddress("", server: server))
        _ = try Store.open(DatabaseAddress("", server: uri(server, name)), at: .day)
    }

    /// Ends the connection of the bridge that has claimed the database, as a failing server does.
    public func breakConnection() throws {
        var ended = 0
        let store = try Store.openUnchanged(address)
        try store.transaction { _ in
            try store.driver.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND CAST(objid AS BIGINT)
                    = (CAST(hashtext(current_schema()) AS BIGINT) + 4294967296) % 4294967296
                """, []
            ) { _ in ended += 1 }
        }
        try #require(ended == 1, "one bridge has claimed the database")
    }

    /// Makes everybody who reads or writes alerts wait, as a server that fails over does.
    ///
    /// - Returns: ends that.
    public func freezeAlerts() throws -> @Sendable () -> Void {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let address = address
        Thread.detachNewThread {
            do {
                let store = try Store.openUnchanged(address)
                try store.transaction { _ in
                    try store.driver.execute("LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE", [])
                    try store.driver.query("SELECT 1", []) { _ in }
                    begun.signal()
                    end.wait()
                }
            } catch {
                Issue.record(error)
                begun.signal()
            }
        }
        begun.wait()
        return { end.signal() }
    }

    private static func run(_ statement: String, in address: DatabaseAddress) throws {
        let store = try Store.openUnchanged(address)
        try store.transaction { _ in try store.driver.execute(statement, []) }
    }

    private static let emptying = """
        DO $$ DECLARE each record; BEGIN
            SET LOCAL session_replication_role = replica;
            FOR each IN SELECT tablename AS name FROM pg_tables
                WHERE schemaname = current_schema() LOOP
                EXECUTE format('DELETE FROM %I', each.name);
                EXECUTE format(
                    'INSERT INTO %I SELECT * FROM kith_initial_\(process).%I', each.name, each.name);
            END LOOP;
            FOR each IN SELECT sequencename AS name FROM pg_sequences
                WHERE schemaname = current_schema() LOOP
                PERFORM setval(each.name::regclass, 1, false);
            END LOOP;
        END $$
        """
}

extension TestDatabase {
    /// A query for the names of all tables.
    public static let tables =
        server == nil
        ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        : "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"

    /// A literal of the text's bytes.
    public static func bytes(_ text: String) -> String {
        server == nil ? "x'\(hex(text))'" : "decode('\(hex(text))', 'hex')"
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// Whether a column of any type contains a text.
    public static func bytes(of column: String, include text: String) -> String {
        server == nil
            ? "INSTR(CAST(\"\(column)\" AS BLOB), \(bytes(text))) > 0"
            : """
            POSITION('\(text)' IN CAST("\(column)" AS TEXT))
                + POSITION('\(hex(text))' IN CAST("\(column)" AS TEXT)) > 0
            """
    }

    /// A query for the names of a table's columns.
    public static func columns(of table: String) -> String {
        server == nil
            ? "SELECT name FROM pragma_table_info('\(table)')"
            : """
            SELECT CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = '\(table)'
            """
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests of what only SQLite has: its file, its log, its plans, earlier schemas.
    public static var onSQLite: Self {
        .enabled(if: TestDatabase.server == nil, "PostgreSQL has no such thing")
    }

    /// For tests of what only a server has.
    public static var onPostgreSQL: Self {
        .enabled(if: TestDatabase.server != nil, "KITH_TEST_POSTGRESQL names no server")
    }
}

extension Timestamp {
    fileprivate static let day = Timestamp(milliseconds: 0)
}
