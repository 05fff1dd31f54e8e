public import Contract
public import Sealing
public import Tracking

/// The stored state of a monitored user.
public struct MonitorRow: Sendable {
    public let user: UserID
    public let since: Timestamp
    public let sealed: SealingKeys.Sealed

    public init(user: UserID, since: Timestamp, _ sealed: SealingKeys.Sealed) {
        (self.user, self.since, self.sealed) = (user, since, sealed)
    }

    static let record = Record<MonitorRow>(
        "monitors", Column("user_id", .number, \.user), Column("since_ms", .time, \.since),
        Column("key_id", "sealed", type: .sealed, \.sealed), make: MonitorRow.init)

    /// Returns the encryption context: the content does not open as another user's.
    public static func context(_ user: UserID) -> String { "monitor \(user.rawValue)" }

    /// - Returns: nil if the document is damaged, or no key opens it.
    /// - Throws: if a newer version of Kith wrote it.
    public func opened(with keys: SealingKeys) throws(StoreError) -> Monitored? {
        try Document.opened(
            keys.open(sealed, as: MonitorRow.context(user)), Document.monitored)
    }
}

extension Monitored {
    /// The text to be encrypted.
    public var stored: [UInt8] { Array(Document.text(self).utf8) }
}

extension Transaction {
    /// Returns the monitors of all users who are not being erased.
    public func monitors() throws(StoreError) -> [MonitorRow] {
        try rows(
            MonitorRow.record, "WHERE user_id NOT IN \(Transaction.erasedUsers) ORDER BY user_id")
    }

    public func monitor(of user: UserID) throws(StoreError) -> MonitorRow? {
        try rows(MonitorRow.record, "WHERE user_id = ?", [SQLValue(user)]).first
    }

    public func save(_ monitor: MonitorRow) throws(StoreError) {
        try save(monitor, MonitorRow.record)
    }

    public func deleteMonitor(of user: UserID) throws(StoreError) {
        try driver.execute("DELETE FROM monitors WHERE user_id = ?", [SQLValue(user)])
    }

    // MARK: Consent

    public func beginMonitoringConsent(of user: UserID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "INSERT INTO monitoring_consents (user_id, at_ms) VALUES (?, ?)",
            [SQLValue(user), SQLValue(now)])
    }

    public func endMonitoringConsent(of user: UserID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE monitoring_consents SET ended_at_ms = ?
            WHERE user_id = ? AND ended_at_ms IS NULL
            """, [SQLValue(now), SQLValue(user)])
    }

    /// Deletes consents that ended before that time.
    ///
    /// - Returns: the number deleted.
    public func deleteMonitoringConsents(endedBefore moment: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM monitoring_consents WHERE id IN
                (SELECT id FROM monitoring_consents WHERE ended_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit))])
    }
}
