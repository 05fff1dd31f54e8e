/// Keeps the file of rights on this machine up to date with a PostgreSQL database that another
/// program changes.
public final class RightsFollower {
    let driver: PostgreSQLDriver
    private let path: String
    private var rights: FiledRights?
    /// Whether the file may lack changes.
    private var isBehind = true
    private var connections: Int

    /// - Parameter whileWaiting: called several times per second while the server keeps it waiting.
    /// - Throws: if the server cannot be reached.
    public init(_ address: DatabaseAddress, whileWaiting: @escaping () -> Void = {})
        throws(StoreError)
    {
        driver = try PostgreSQLDriver(
            address.server ?? "", readOnly: false, whileWaiting: whileWaiting)
        driver.expectQuickAnswers()
        path = address.path
        connections = driver.connections
    }

    /// Waits for a change, and applies it.
    ///
    /// - Parameter pause: how long to wait at most, in milliseconds.
    /// - Throws: if the server does not answer, or the file cannot be written; call it again.
    public func follow(atMost pause: Int32) throws(StoreError) {
        _ = try news(atMost: pause)
        guard isBehind || rights?.isReplaced == true else { return }
        let transaction = Transaction(driver: driver)
        // The bridge that decides makes the tables first, and brings them up to date.
        let isReady = try driver.transaction { () throws(StoreError) in
            guard try transaction.hasTable("migrations"),
                try transaction.schemaVersion() == Migration.newest
            else { return false }
            return try transaction.serviceKey(FiledRights.key) != nil
        }
        if isReady { try catchUp() }
    }

    func news(atMost pause: Int32) throws(StoreError) -> Set<PostgreSQLDriver.News> {
        let news = try driver.awaitNews(atMost: pause)
        if news.contains(.rights) || connections != driver.connections { isBehind = true }
        connections = driver.connections
        return news
    }

    /// Applies what the file may lack.
    func catchUp() throws(StoreError) {
        // Another process has replaced it, perhaps by that of another installation.
        if rights?.isReplaced == true { (rights, isBehind) = (nil, true) }
        guard isBehind else { return }
        if let rights {
            try rights.follow()
        } else {
            rights = try FiledRights(of: driver, besides: path)
        }
        isBehind = false
    }
}
