internal import CPostgreSQL
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A connection to PostgreSQL in pipeline mode: statements are sent without waiting for their
/// results, and ``drain()`` reads all of them.
///
/// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
final class PostgreSQLConnection {
    private let connection: OpaquePointer
    /// The names of the statements that the server has prepared.
    private var prepared: [String: [Prepared]] = [:]
    private var preparedCount = 0
    private var lastName = 0
    /// Statements whose preparation has been sent, and not confirmed yet.
    private var unconfirmed: [String] = []
    /// The number of sent statements whose result was not read yet.
    private(set) var unread = 0
    /// Whether it failed: its results are no longer in step.
    private(set) var isLost = false
    private var parameters = PostgreSQLParameters()

    private struct Prepared {
        let name: String
        var types: [PostgreSQLType?]
    }

    /// The maximum number of statements that the server keeps prepared.
    private static let preparedLimit = 2_000
    /// The maximum time for the server to answer: longer than any statement of a turn takes.
    static let patience = Duration.seconds(20)
    /// The same for changes of the schema, and for copies of everything.
    static let longPatience = Duration.seconds(3_600)
    var patience = PostgreSQLConnection.patience
    /// See ``Driver/whileWaiting(_:)``.
    var whileWaiting: (() -> Void)?
    /// How long the server usually takes at most.
    static let usualWait = Duration.milliseconds(300)

    /// - Parameters:
    ///   - address: a connection URI or string, as libpq reads it.
    ///   - readOnly: for a connection that only reads, in one snapshot for each transaction.
    init(_ address: String, readOnly: Bool, whileWaiting: (() -> Void)? = nil) throws(StoreError) {
        self.whileWaiting = whileWaiting
        guard pq_is_installed() != 0 else {
            throw StoreError(
                .open, .unreachable, "PostgreSQL's client library is missing: install libpq5")
        }
        let hasPassword = try PostgreSQLConnection.hasPassword(address)
        // What the address itself says takes precedence.
        var options: [(String, String)] = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "20000"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
            ("fallback_application_name", "kith"),
        ]
        if !readOnly { options.append(("target_session_attrs", "read-write")) }
        options += [("dbname", address), ("client_encoding", "UTF8")]
        connection = try PostgreSQLConnection.connected(options, whileWaiting)
        // From here on a failure ends the connection, in `deinit`.
        guard PQstatus(connection) == CONNECTION_OK else {
            // The message may repeat parts of the address.
            let reason = hasPassword ? nil : PostgreSQLConnection.reason(of: connection)
            throw StoreError(
                .open, .unreachable, reason ?? "the PostgreSQL server does not let Kith in")
        }
        try prepare(readOnly: readOnly)
    }

    deinit { PQfinish(connection) }

    /// - Throws: if the address cannot be read; what is wrong is not repeated.
    private static func hasPassword(_ address: String) throws(StoreError) -> Bool {
        guard let options = PQconninfoParse(address, nil) else {
            throw StoreError(.open, .unreachable, "the URI of the database cannot be read")
        }
        defer { PQconninfoFree(options) }
        var (option, found) = (options, false)
        while let keyword = option.pointee.keyword {
            if ["password", "sslpassword"].contains(String(cString: keyword)) {
                found = found || option.pointee.val != nil
            }
            option += 1
        }
        return found
    }

    private static func connected(_ options: [(String, String)], _ whileWaiting: (() -> Void)?)
        throws(StoreError) -> OpaquePointer
    {
        guard let whileWaiting else { return try connected(options) }
        let outcome = Mutex<Result<UInt, StoreError>?>(nil)
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let result = Result { () throws(StoreError) in
                UInt(bitPattern: try connected(options))
            }
            outcome.withLock { $0 = result }
            end.signal()
        }
        while end.wait(timeout: .now() + .milliseconds(100)) == .timedOut { whileWaiting() }
        let found = try outcome.withLock { $0 }?.get()
        guard let connection = found.flatMap({ OpaquePointer(bitPattern: $0) }) else {
            preconditionFailure("libpq returns a connection")
        }
        return connection
    }

    private static func connected(_ options: [(String, String)]) throws(StoreError)
        -> OpaquePointer
    {
        let keys = options.map { strdup($0.0) }
        let values = options.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        let connection = PQconnectdbParams(
            keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let connection else {
            throw StoreError(.open, .unreachable, "libpq is out of memory")
        }
        return connection
    }

    /// The first line of libpq's message.
    private static func reason(of connection: OpaquePointer) -> String? {
        let text = String(cString: PQerrorMessage(connection))
        return text.split(separator: "\n").first.map(String.init)
    }

    private func prepare(readOnly: Bool) throws(StoreError) {
        let version = PQserverVersion(connection)
        guard version >= PostgreSQLConnection.oldestServer else {
            throw StoreError(
                .open, reason: "PostgreSQL \(version / 10_000) is too old: 15 or newer is needed")
        }
        let encoding = PQparameterStatus(connection, "server_encoding").map(String.init(cString:))
        guard encoding == "UTF8" else {
            throw StoreError(
                .open,
                reason: "the database's encoding is \(encoding ?? "unknown"): create it "
                    + "with ENCODING 'UTF8'")
        }
        // Notices, such as that a table exists already, are not for the terminal.
        _ = PQsetNoticeReceiver(connection, { _, _ in }, nil)
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            throw lost(.open)
        }
        let mode = readOnly ? "REPEATABLE READ, READ ONLY" : "READ COMMITTED, READ WRITE"
        try send("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL \(mode)")
        for setting in PostgreSQLConnection.settings { try send("SET \(setting)") }
        // A reader may wait for its own output.
        if !readOnly { try send("SET idle_in_transaction_session_timeout = '60s'") }
        try drain(.open) { _ in }
    }

    private static let oldestServer: Int32 = 150_000

    /// By which the server notices soon that the client is gone, and ends the session with its lock.
    private static let settings = [
        "tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 2",
        "tcp_user_timeout = 20000", "client_connection_check_interval = '5s'",
    ]

    // MARK: Sending

    /// Sends a statement without values, which is not prepared.
    func send(_ sql: String) throws(StoreError) {
        guard PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) == 1 else {
            throw lost(.execute)
        }
        unread += 1
    }

    /// Sends a statement, and prepares it if it is new.
    func send(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        let name = try name(of: sql, values)
        parameters.encode(values)
        let isSent = parameters.withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(
                connection, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost(.execute) }
        unread += 1
    }

    private func name(of sql: String, _ values: [SQLValue]) throws(StoreError) -> String {
        let types = values.map(PostgreSQLType.init)
        var variants = prepared[sql] ?? []
        if let known = variants.first(where: { covers($0.types, types) }) { return known.name }
        if preparedCount >= PostgreSQLConnection.preparedLimit {
            try forgetPrepared()
            variants = []
        }
        // A value that was null before shows the type of its parameter now.
        let place = variants.firstIndex { covers(types, $0.types, bothWays: true) }
        let merged = place.map { place in zip(variants[place].types, types).map { $0 ?? $1 } }
        let statement = Prepared(name: "s\(lastName)", types: merged ?? types)
        lastName += 1
        preparedCount += 1
        guard
            PQsendPrepare(
                connection, statement.name, PostgreSQLStatement.translated(sql),
                Int32(values.count), statement.types.map { $0?.rawValue ?? 0 }) == 1
        else { throw lost(.execute) }
        unread += 1
        unconfirmed.append(sql)
        if let place { variants[place] = statement } else { variants.append(statement) }
        prepared[sql] = variants
        return statement.name
    }

    /// Whether values of these types can be passed to a statement prepared for the others.
    private func covers(
        _ known: [PostgreSQLType?], _ types: [PostgreSQLType?], bothWays: Bool = false
    ) -> Bool {
        zip(known, types).allSatisfy { $1 == nil || $0 == $1 || bothWays && $0 == nil }
    }

    private func forgetPrepared() throws(StoreError) {
        try send("DEALLOCATE ALL")
        (prepared, preparedCount) = ([:], 0)
    }

    // MARK: Receiving

    /// Waits for the results of everything that was sent.
    ///
    /// - Parameter read: called with the last result, if nothing failed.
    /// - Throws: the first failure; whatever followed it was not executed.
    func drain<Value>(
        _ operation: StoreError.Operation,
        _ read: (PostgreSQLResult?) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        guard PQpipelineSync(connection) == 1 else { throw lost(operation) }
        let (count, deadline) = (unread, ContinuousClock.now + patience)
        var failure: StoreError?
        var last: PostgreSQLResult?
        for index in 0..<count {
            while let result = try next(operation, deadline) {
                if let error = result.failure(operation) {
                    failure = failure ?? error
                } else if index == count - 1 {
                    last = result
                }
            }
        }
        unread = 0
        // The answer to the request to synchronise.
        guard let end = try next(operation, deadline), end.status == PGRES_PIPELINE_SYNC else {
            throw lost(operation)
        }
        if let failure {
            for sql in unconfirmed { prepared[sql] = nil }
            unconfirmed = []
            throw failure
        }
        unconfirmed = []
        return try read(last)
    }

    private func next(
        _ operation: StoreError.Operation, _ deadline: ContinuousClock.Instant
    ) throws(StoreError) -> PostgreSQLResult? {
        let start = ContinuousClock.now
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost(operation) }
            if PQisBusy(connection) == 0 { break }
            guard ContinuousClock.now < deadline else {
                isLost = true
                throw StoreError(operation, .unreachable, "the PostgreSQL server does not answer")
            }
            let events = unsent == 0 ? POLLIN : POLLIN | POLLOUT
            wait(for: Int16(events), until: deadline)
            if ContinuousClock.now > start + PostgreSQLConnection.usualWait { whileWaiting?() }
            guard PQconsumeInput(connection) == 1 else { throw lost(operation) }
        }
        guard let result = PQgetResult(connection) else { return nil }
        let found = PostgreSQLResult(result)
        guard PQstatus(connection) != CONNECTION_BAD else { throw lost(operation) }
        return found
    }

    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) {
        var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
        let left = max(.zero, deadline - ContinuousClock.now)
        let pause = whileWaiting == nil ? Int32(left.components.seconds) * 1_000 + 100 : 100
        poll(&descriptor, 1, pause)
    }

    /// The channels of the notifications that other sessions have sent since the last call.
    ///
    /// - Parameter pause: how long to wait if there are none, in milliseconds.
    func takeNotifications(atMost pause: Int32 = 0) throws(StoreError) -> [String] {
        var channels: [String] = []
        for pause in pause > 0 ? [0, pause] : [0] where channels.isEmpty {
            if pause > 0 {
                var descriptor = pollfd(
                    fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, pause)
            }
            guard PQconsumeInput(connection) == 1 else { throw lost(.query) }
            while let notification = PQnotifies(connection) {
                if notification.pointee.be_pid != PQbackendPID(connection) {
                    channels.append(String(cString: notification.pointee.relname))
                }
                PQfreemem(notification)
            }
        }
        return channels
    }

    /// The server's process.
    var process: Int64 { Int64(PQbackendPID(connection)) }

    /// Whether statements can still be sent; otherwise another connection is needed.
    var isUsable: Bool { !isLost && PQstatus(connection) == CONNECTION_OK && unread == 0 }

    private func lost(_ operation: StoreError.Operation) -> StoreError {
        isLost = true
        return StoreError(operation, .unreachable, "the connection to PostgreSQL was lost")
    }
}
