/// A bridge that stands by while another decides, on a PostgreSQL server: it keeps the rights that
/// the gate on its machine reads up to date, and notices when the other is gone.
public final class Succession {
    private let rights: RightsFollower
    private var driver: PostgreSQLDriver { rights.driver }
    /// How long the bridge that decides has given no sign of life, as far as the server answered.
    private var silence = Duration.zero
    /// The server's process of that bridge.
    private var claimant: Int64?

    public enum State: Hashable, Sendable {
        /// Nobody decides: the next to open the database does.
        case free
        /// A bridge decides, or a command is changing the whole database.
        case taken(by: Decider?)
        /// The database has a newer schema than this version, which therefore cannot decide.
        case ofAnotherVersion(schema: Int64)
    }

    /// - Parameter whileWaiting: called several times per second while the server keeps it waiting.
    /// - Throws: if the server cannot be reached.
    public init(_ address: DatabaseAddress, whileWaiting: @escaping () -> Void = {})
        throws(StoreError)
    {
        rights = try RightsFollower(address, whileWaiting: whileWaiting)
    }

    /// Looks once.
    ///
    /// - Parameter pause: how long to wait for news before, in milliseconds.
    /// - Throws: if the server does not answer; call it again.
    public func look(after pause: Int32) throws(StoreError) -> State {
        let start = ContinuousClock.now
        let connections = driver.connections
        let news = try rights.news(atMost: pause)
        let transaction = Transaction(driver: driver)
        let (claimant, schema, decider) = try driver.transaction { () throws(StoreError) in
            let schema =
                try transaction.hasTable("migrations") ? try transaction.schemaVersion() : 0
            return (
                try driver.claimant(), schema,
                schema > 0 ? try transaction.decider() : nil
            )
        }
        if schema > Migration.newest { return .ofAnotherVersion(schema: schema) }
        guard let claimant else { return .free }
        if schema == Migration.newest { try rights.catchUp() }
        let isSame = claimant.process == self.claimant && connections == driver.connections
        self.claimant = claimant.process
        guard claimant.isBridge, isSame, !news.contains(.life) else {
            silence = .zero
            return .taken(by: decider)
        }
        // A server that is slow to answer is slow to pass on signs of life, too.
        silence += min(ContinuousClock.now - start, .milliseconds(2 * Int64(pause)))
        // What the bridge asks of the server is a sign of life as well.
        if let idle = claimant.idleFor { silence = min(silence, max(.zero, idle)) }
        guard silence > Lease.patience else { return .taken(by: decider) }
        silence = .zero
        try driver.transaction { () throws(StoreError) in try driver.end(claimant.process) }
        return .free
    }
}
