public import Contract
public import Sealing
public import Tracking

/// A stored incident.
public struct IncidentRow: Sendable {
    public let id: UUIDv7
    public let user: UserID
    public let status: Incident.Status
    public let attempts: Int
    public let messages: Int
    /// The time of the next call to dispatch; nil if there is none.
    public let nextAt: Timestamp?
    public let closedAt: Timestamp?
    public let sealed: SealingKeys.Sealed

    public init(
        _ incident: Incident, of user: UserID, nextAt: Timestamp?, closedAt: Timestamp?,
        _ sealed: SealingKeys.Sealed
    ) {
        self.init(
            id: incident.id, user: user, status: incident.status, attempts: incident.attempts,
            messages: incident.messages, nextAt: nextAt, closedAt: closedAt, sealed: sealed)
    }

    private init(
        id: UUIDv7, user: UserID, status: Incident.Status, attempts: Int, messages: Int,
        nextAt: Timestamp?, closedAt: Timestamp?, sealed: SealingKeys.Sealed
    ) {
        (self.id, self.user, self.status) = (id, user, status)
        (self.attempts, self.messages) = (attempts, messages)
        (self.nextAt, self.closedAt, self.sealed) = (nextAt, closedAt, sealed)
    }

    static let record = Record<IncidentRow>(
        "incidents",
        Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("status", .word(of: Incident.Status.self), \.status),
        Column("attempts", .count, \.attempts), Column("messages", .count, \.messages),
        Column("next_at_ms", .null(or: .time), \.nextAt),
        Column("closed_at_ms", .null(or: .time), \.closedAt),
        Column("key_id", "sealed", type: .sealed, \.sealed)
    ) {
        IncidentRow(
            id: $0, user: $1, status: $2, attempts: $3, messages: $4, nextAt: $5, closedAt: $6,
            sealed: $7)
    }

    /// Returns the encryption context: the content does not open as another incident's.
    public static func context(_ id: UUIDv7) -> String { "incident \(id)" }

    /// - Returns: nil if the document is damaged, or no key opens it.
    /// - Throws: if a newer version of Kith wrote it.
    public func opened(with keys: SealingKeys) throws(StoreError) -> Incident? {
        guard
            let details = try Document.opened(
                keys.open(sealed, as: IncidentRow.context(id)), Document.incidentDetails)
        else { return nil }
        return Incident(
            id: id, status: status, attempts: attempts, messages: messages, details: details)
    }
}

extension Incident.Details {
    /// The text to be encrypted.
    public var stored: [UInt8] { Array(Document.text(self).utf8) }
}

extension Transaction {
    public func openIncidents() throws(StoreError) -> [IncidentRow] {
        try incidents(
            "WHERE closed_at_ms IS NULL AND user_id NOT IN \(Transaction.erasedUsers) ORDER BY id",
            [])
    }

    /// Returns a person's incidents, the newest first.
    public func incidents(of user: UserID, before id: UUIDv7?, limit: Int)
        throws(StoreError) -> [IncidentRow]
    {
        try incidents(
            "WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
            [SQLValue(user), .text(id?.description ?? "g"), .integer(Int64(limit))])
    }

    private func incidents(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [IncidentRow]
    {
        try rows(IncidentRow.record, rest, values)
    }

    /// Stores an incident or its changes.
    public func save(_ incident: IncidentRow) throws(StoreError) {
        try save(incident, IncidentRow.record)
    }

    /// Closes an incident whose content is unreadable.
    public func closeIncident(_ id: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE incidents SET status = 'closed', next_at_ms = NULL, closed_at_ms = ?
            WHERE id = ?
            """, [SQLValue(now), .text(id.description)])
    }

    public func setSealed(_ sealed: SealingKeys.Sealed, ofIncident id: UUIDv7) throws(StoreError) {
        try driver.execute(
            "UPDATE incidents SET key_id = ?, sealed = ? WHERE id = ?",
            [.integer(sealed.key), .blob(sealed.bytes), .text(id.description)])
    }

    /// Deletes incidents closed before that time.
    ///
    /// - Returns: the number deleted.
    public func deleteIncidents(closedBefore moment: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM incidents WHERE id IN
                (SELECT id FROM incidents WHERE closed_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit))])
    }

    /// Returns some closed incidents that an older key opens.
    public func incidents(sealedBefore key: Int64, limit: Int) throws(StoreError) -> [IncidentRow] {
        try incidents(
            "WHERE key_id < ? ORDER BY key_id LIMIT ?",
            [.integer(key), .integer(Int64(limit))])
    }
}
