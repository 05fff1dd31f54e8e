internal import Glibc
internal import Tracking

/// PostgreSQL through libpq. Statements whose result is not needed are sent with those that follow,
/// so that a turn takes a few round trips.
final class PostgreSQLDriver: Driver {
    private let address: String
    private let isReadOnly: Bool
    private var connection: PostgreSQLConnection?
    private var isInTransaction = false
    /// Whether ``claim()`` was called: each new connection claims the database again.
    private var isClaimed = false
    /// This process as the bridge that decides, as it is stored; nil if it is none.
    private var decider: Decider?
    private(set) var lease: Lease?
    private var notifications: Int64 = 0
    private(set) var work: Int64 = 0
    private(set) var connections = 0
    /// How often it has waited for the server since the driver was opened.
    private(set) var roundTrips = 0
    private var patience = PostgreSQLConnection.longPatience
    private var whileWaiting: (() -> Void)?
    /// When the running transaction began, and when ``whileWaiting`` was last called between its
    /// statements.
    private var beganAt, lastCalled: ContinuousClock.Instant?
    /// The server's process for the last connection.
    private var process: Int64?
    private var sendsTogether = false
    /// Whether statements of this transaction were sent without waiting for their results.
    private var hasUnread = false
    private var hasWritten = false

    /// - Parameter readOnly: for programs other than the bridge, which is the only writer.
    init(_ address: String, readOnly: Bool, whileWaiting: (() -> Void)? = nil) throws(StoreError) {
        (self.address, isReadOnly, self.whileWaiting) = (address, readOnly, whileWaiting)
        _ = try connected()
    }

    /// The connection; a new one if the last was lost.
    private func connected() throws(StoreError) -> PostgreSQLConnection {
        if let connection, connection.isUsable { return connection }
        connection = nil
        let new = try PostgreSQLConnection(
            address, readOnly: isReadOnly, whileWaiting: whileWaiting)
        if !isReadOnly {
            try new.send("SELECT CAST(current_schema() AS TEXT)")
            schema = try new.drain(.open) { result throws(StoreError) in
                guard let result, result.rows == 1, !result.row(0).isNull(0) else {
                    throw StoreError(.open, reason: "the database has no schema to work in")
                }
                return try result.row(0).text(0)
            }
            for news in listensTo { try new.send("LISTEN \(channel(news))") }
            try new.drain(.open) { _ in }
        }
        if isClaimed {
            try claimAgain(new)
            if let decider {
                try begin(decider, over: new)
                try new.send("SET application_name = '\(PostgreSQLDriver.bridge)'")
                try new.drain(.open) { _ in }
            }
            // Others' commits may have gone unnoticed.
            notifications += 1
        }
        new.patience = patience
        process = new.process
        connection = new
        connections += 1
        return new
    }

    func sendTogether(_ isAllowed: Bool) { sendsTogether = isAllowed }

    func expectQuickAnswers() {
        patience = PostgreSQLConnection.patience
        connection?.patience = patience
    }

    func whileWaiting(_ body: (() -> Void)?) {
        whileWaiting = body
        connection?.whileWaiting = body
    }

    func claim() throws(StoreError) {
        try PostgreSQLDriver.claim(try connected())
        isClaimed = true
    }

    func release() throws(StoreError) {
        isClaimed = false
        let connection = try connected()
        try connection.send(
            "SELECT pg_advisory_unlock(\(PostgreSQLDriver.lock), hashtext(current_schema()))")
        try connection.drain(.execute) { _ in }
    }

    /// Claims the database over another connection, whose server may not have noticed yet that the
    /// last one is gone.
    ///
    /// - Throws: an error with the cause `superseded` if another bridge decides by now, and `locked`
    ///   if only a command has claimed it.
    private func claimAgain(_ new: PostgreSQLConnection) throws(StoreError) {
        if let process {
            try new.send(
                """
                SELECT pg_terminate_backend(locks.pid) FROM pg_locks locks
                WHERE locks.pid = ? AND \(PostgreSQLDriver.isClaim)
                """, [.integer(process), .integer(Int64(PostgreSQLDriver.lock))])
            try new.drain(.open) { _ in }
        }
        do throws(StoreError) {
            try PostgreSQLDriver.claim(new)
        } catch {
            // The last commit's outcome may be unknown, and with it the epoch.
            guard error.cause == .superseded, let decider, let last = try last(over: new),
                last.name == decider.name, last.since == decider.since
            else { throw error }
            throw StoreError(.open, .locked, "a command is using this database")
        }
        process = new.process
    }

    private static func claim(_ connection: PostgreSQLConnection) throws(StoreError) {
        // The server may not have noticed yet that the last holder has ended.
        let deadline = ContinuousClock.now + claimPatience
        while true {
            try connection.send(
                "SELECT pg_try_advisory_lock(\(lock), hashtext(current_schema()))")
            let isFree = try connection.drain(.open) { result throws(StoreError) in
                try result?.row(0).integer(0) == 1
            }
            if isFree { return }
            guard ContinuousClock.now < deadline else {
                throw StoreError(.open, .superseded, "another bridge is using this database")
            }
            usleep(50_000)
        }
    }

    private static let claimPatience = Duration.seconds(2)

    /// The key of the lock that the bridge holds while it runs: "kith".
    private static let lock: Int32 = 0x6B69_7468
    /// That of the installation; each has its own channels.
    private var schema = ""
    private var listensTo: Set<News> = [.commands]

    /// What programs report to each other.
    enum News: String {
        /// Another program has committed something for the bridge.
        case commands = ""
        /// The bridge has committed changes of rights.
        case rights = ".rights"
        /// The bridge that decides is alive.
        case life = ".life"
    }

    /// The name of the channel, quoted.
    private func channel(_ news: News) -> String { "\"kith.\(schema)\(news.rawValue)\"" }

    deinit { lease?.end() }

    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        precondition(!isInTransaction, "transactions do not nest")
        let connection: PostgreSQLConnection
        do throws(StoreError) {
            connection = try connected()
            try connection.send("BEGIN")
        } catch {
            throw StoreError(.begin, code: error.code, reason: error.reason)
        }
        (isInTransaction, hasUnread, hasWritten) = (true, false, false)
        beganAt = .now
        noteProgress()
        defer { (isInTransaction, beganAt) = (false, nil) }
        let value: Value
        do throws(StoreError) {
            value = try body()
            if hasWritten, !isReadOnly, !isClaimed {
                try connection.send("NOTIFY \(channel(.commands))")
            }
            if let decider {
                try connection.send(
                    hasWritten ? PostgreSQLDriver.lockedCheck : PostgreSQLDriver.check,
                    [.blob(decider.bytes)])
            }
            // A failure until here concerns what was sent, and nothing is committed.
            try connection.send("COMMIT")
        } catch {
            rollBack(connection)
            throw error
        }
        do throws(StoreError) {
            roundTrips += 1
            let outcome = try connection.drain(.commit) { $0?.command }
            guard outcome == "COMMIT" else {
                throw StoreError(.commit, reason: "an earlier statement failed")
            }
        } catch {
            rollBack(connection)
            throw noted(error)
        }
        return value
    }

    private func rollBack(_ connection: PostgreSQLConnection) {
        do throws(StoreError) {
            guard !connection.isLost else { return self.connection = nil }
            do throws(StoreError) { try connection.drain(.execute) { _ in } } catch {}
            guard connection.isUsable else { return self.connection = nil }
            try connection.send("ROLLBACK")
            try connection.drain(.execute) { _ in }
        } catch {
            // The server rolls back when the connection ends.
            self.connection = nil
        }
    }

    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int {
        let connection = current
        work += WorkSteps.statement + WorkSteps.change
        hasWritten = true
        noteProgress()
        try connection.send(sql, values)
        if !isCounted, sendsTogether, connection.unread < PostgreSQLDriver.unreadLimit {
            hasUnread = true
            return 0
        }
        do throws(StoreError) {
            roundTrips += 1
            let changes = try connection.drain(.execute) { $0?.changes ?? 0 }
            hasUnread = false
            work += WorkSteps.change * Int64(max(0, changes - 1))
            return changes
        } catch {
            throw noted(error)
        }
    }

    /// The maximum number of statements whose results are waited for together.
    private static let unreadLimit = 1_000

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        let connection = current
        if !sql.hasPrefix("SELECT") { hasWritten = true }
        noteProgress()
        try connection.send(sql, values)
        let result: PostgreSQLResult?
        do throws(StoreError) {
            roundTrips += 1
            result = try connection.drain(.query) { $0 }
        } catch {
            throw noted(error)
        }
        hasUnread = false
        let rows = result?.rows ?? 0
        work += WorkSteps.statement + PostgreSQLDriver.row * Int64(rows)
        for row in 0..<rows { if let result { try read(result.row(row)) } }
    }

    func stream(_ sql: String, _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try execute("DECLARE stream NO SCROLL CURSOR FOR \(sql)", [])
        var count = 0
        repeat {
            count = 0
            try query("FETCH \(PostgreSQLDriver.streamed) FROM stream", []) {
                row throws(StoreError) in
                count += 1
                try read(row)
            }
        } while count == PostgreSQLDriver.streamed
        try execute("CLOSE stream", [])
    }

    /// The number of rows that are in memory at once.
    private static let streamed = 5_000

    /// The steps counted for a row that is read.
    private static let row: Int64 = 20

    /// The failure may concern an earlier statement than the one that reports it.
    private func noted(_ error: StoreError) -> StoreError {
        hasUnread && [.input, .damaged].contains(error.cause) ? .unattributed : error
    }

    func bytes() throws(StoreError) -> Int64? {
        var size: Int64?
        try query("SELECT pg_database_size(current_database())", []) { row throws(StoreError) in
            size = try row.integer(0)
        }
        return size
    }

    func foreignChanges() throws(StoreError) -> Int64 {
        noteProgress()
        let taken = try connected().takeNotifications()
        notifications += Int64(taken.count { $0 == name(.commands) })
        return notifications
    }

    private func name(_ news: News) -> String { "kith.\(schema)\(news.rawValue)" }

    // MARK: Deciding, and standing by

    /// Fails with an error of its own unless the bridge is still the one that decides; with the
    /// lock, which needs a write, no other becomes it until the transaction ends.
    private static let check = check("")
    private static let lockedCheck = check("FOR SHARE")

    private static func check(_ lock: String) -> String {
        """
        SELECT ln(count(*)) FROM
            (SELECT 1 FROM service_keys WHERE name = '\(Decider.key)' AND value = ? \(lock)) AS own
        """
    }

    /// Records that the bridge is at work, and does what has to be done meanwhile if that takes
    /// long.
    private func noteProgress() {
        lease?.noteProgress()
        guard let whileWaiting, let beganAt else { return }
        let now = ContinuousClock.now
        guard now > beganAt + PostgreSQLConnection.usualWait,
            lastCalled.map({ now > $0 + PostgreSQLDriver.callPause }) ?? true
        else { return }
        lastCalled = now
        whileWaiting()
    }

    private static let callPause = Duration.milliseconds(100)

    func beginDeciding(as name: String, _ version: String, at now: Timestamp) throws(StoreError) {
        let connection = try connected()
        let new = Decider(epoch: 0, name: name, since: now, version: version)
        try begin(new, over: connection)
        lease = Lease(address, channel(.life))
        // Only now may others expect signs of life.
        try connection.send("SET application_name = '\(PostgreSQLDriver.bridge)'")
        try connection.drain(.open) { _ in }
    }

    private func last(over connection: PostgreSQLConnection) throws(StoreError) -> Decider? {
        try connection.send(
            "SELECT value FROM service_keys WHERE name = ?", [.text(Decider.key)])
        return try connection.drain(.begin) { result throws(StoreError) in
            guard let result, result.rows == 1 else { return nil as Decider? }
            return Decider(try result.row(0).blob(0))
        }
    }

    private func begin(_ new: Decider, over connection: PostgreSQLConnection) throws(StoreError) {
        var new = new
        new.epoch = (try last(over: connection)?.epoch ?? 0) + 1
        try connection.send(
            """
            INSERT INTO service_keys (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [.text(Decider.key), .blob(new.bytes)])
        try connection.drain(.begin) { _ in }
        decider = new
    }

    var mayHaveLost: Bool { lease?.isInDoubt ?? false }

    func announceRights() throws(StoreError) { try current.send("NOTIFY \(channel(.rights))") }

    /// Waits for news of the bridge that decides.
    ///
    /// - Parameter pause: in milliseconds.
    func awaitNews(atMost pause: Int32) throws(StoreError) -> Set<News> {
        let live = try connected()
        if !listensTo.contains(.life) {
            listensTo = [.life, .rights]
            for news in listensTo { try live.send("LISTEN \(channel(news))") }
            try live.drain(.query) { _ in }
        }
        let taken = Set(try live.takeNotifications(atMost: pause))
        return listensTo.filter { taken.contains(name($0)) }
    }

    /// Looks who has claimed the database.
    ///
    /// - Returns: nil if nobody has.
    func claimant() throws(StoreError) -> Claimant? {
        var found: Claimant?
        try query(
            """
            SELECT locks.pid, application_name = ?,
                CASE WHEN state = 'active' AND wait_event_type IS DISTINCT FROM 'Client' THEN 0 ELSE
                    CAST(EXTRACT(EPOCH FROM clock_timestamp() - state_change) * 1000 AS BIGINT) END
            FROM pg_locks locks LEFT JOIN pg_stat_activity USING (pid)
            WHERE \(PostgreSQLDriver.isClaim)
            """, [.text(PostgreSQLDriver.bridge), .integer(Int64(PostgreSQLDriver.lock))]
        ) { row throws(StoreError) in
            found = Claimant(
                process: try row.integer(0),
                isBridge: row.isNull(1) ? false : try row.integer(1) == 1,
                idleFor: try row.optionalInteger(2).map { .milliseconds($0) })
        }
        return found
    }

    /// A condition for the lock of this installation's claim among `locks`.
    private static let isClaim = """
        locks.locktype = 'advisory' AND locks.granted AND locks.objsubid = 2
            AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND CAST(locks.classid AS BIGINT) = ?
            AND CAST(locks.objid AS BIGINT)
                = (CAST(hashtext(current_schema()) AS BIGINT) + 4294967296) % 4294967296
        """

    /// The connection that has claimed the database.
    struct Claimant {
        /// The server's process.
        let process: Int64
        /// Whether it is that of a bridge, which gives signs of life.
        let isBridge: Bool
        /// How long the server has had nothing to do for it; nil if unknown.
        let idleFor: Duration?
    }

    /// Ends another connection to the server.
    func end(_ process: Int64) throws(StoreError) {
        try query("SELECT pg_terminate_backend(CAST(? AS INTEGER))", [.integer(process)]) { _ in }
    }

    /// The name of the bridge's connection at the server.
    private static let bridge = "kith serve"

    func hasTable(_ name: String) throws(StoreError) -> Bool {
        var isThere = false
        try query(
            """
            SELECT to_regclass(quote_ident(current_schema()) || '.' || quote_ident(?)) IS NOT NULL
            """, [.text(name)]
        ) { row throws(StoreError) in
            isThere = try row.integer(0) == 1
        }
        return isThere
    }

    private var current: PostgreSQLConnection {
        guard isInTransaction, let connection else {
            preconditionFailure("statements run inside a transaction")
        }
        return connection
    }
}
