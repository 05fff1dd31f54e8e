public import Contract
public import Tracking

/// A passkey as stored.
public struct PasskeyRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    /// Its id, as the authenticator has chosen it.
    public let credential: [UInt8]
    /// COSE.
    public let publicKey: [UInt8]
    public let signCount: UInt32
    public let isSynced: Bool
    public let label: String
    public let addedAt: Timestamp
    /// When somebody last logged in with it.
    public let usedAt: Timestamp?
    /// When the last challenge that it has signed was made.
    public let challengeAt: Timestamp

    public init(
        id: UUIDv7, user: UserID, credential: [UInt8], publicKey: [UInt8], signCount: UInt32,
        isSynced: Bool, label: String, addedAt: Timestamp, usedAt: Timestamp? = nil,
        challengeAt: Timestamp
    ) {
        (self.id, self.user, self.credential) = (id, user, credential)
        (self.publicKey, self.signCount, self.isSynced) = (publicKey, signCount, isSynced)
        (self.label, self.addedAt, self.usedAt) = (label, addedAt, usedAt)
        self.challengeAt = challengeAt
    }

    /// As its owner sees it.
    public var message: PasskeyMessage {
        PasskeyMessage(id: id, label: label, isSynced: isSynced, addedAt: addedAt, usedAt: usedAt)
    }
}

extension Transaction {
    public func insert(_ passkey: PasskeyRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO passkeys
                (id, user_id, credential_id, public_key, sign_count, is_synced, label, added_at_ms,
                challenge_at_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(passkey.id.description), SQLValue(passkey.user), .blob(passkey.credential),
                .blob(passkey.publicKey), .integer(Int64(passkey.signCount)),
                .integer(passkey.isSynced ? 1 : 0), .text(passkey.label),
                SQLValue(passkey.addedAt), SQLValue(passkey.challengeAt),
            ])
    }

    /// Notes that somebody has logged in with it.
    ///
    /// - Parameter challenge: when what it has signed was made.
    public func notePasskey(
        _ id: UUIDv7, signCount: UInt32, challenge: Timestamp, at now: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            "UPDATE passkeys SET sign_count = ?, challenge_at_ms = ?, used_at_ms = ? WHERE id = ?",
            [
                .integer(Int64(signCount)), SQLValue(challenge), SQLValue(now),
                .text(id.description),
            ])
    }

    public func deletePasskey(_ id: UUIDv7) throws(StoreError) {
        try driver.execute("DELETE FROM passkeys WHERE id = ?", [.text(id.description)])
    }

    /// A user's passkeys, the oldest first: a bounded number.
    public func passkeys(of user: UserID) throws(StoreError) -> [PasskeyRow] {
        try passkeys("WHERE user_id = ? ORDER BY id", [SQLValue(user)])
    }

    /// The passkey with the id that an authenticator has chosen.
    public func passkey(credential: [UInt8]) throws(StoreError) -> PasskeyRow? {
        try passkeys("WHERE credential_id = ?", [.blob(credential)]).first
    }

    private func passkeys(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [PasskeyRow]
    {
        try all(
            """
            SELECT id, user_id, credential_id, public_key, sign_count, is_synced, label,
                added_at_ms, used_at_ms, challenge_at_ms
            FROM passkeys \(condition)
            """, values
        ) { row throws(StoreError) in
            guard let id = UUIDv7(try row.text(0)),
                let signCount = UInt32(exactly: try row.integer(4))
            else { throw StoreError(.decode, reason: "a passkey is damaged") }
            return PasskeyRow(
                id: id, user: UserID(rawValue: try row.integer(1)), credential: try row.blob(2),
                publicKey: try row.blob(3), signCount: signCount,
                isSynced: try row.integer(5) == 1, label: try row.text(6),
                addedAt: Timestamp(milliseconds: try row.integer(7)),
                usedAt: try row.optionalTime(8),
                challengeAt: Timestamp(milliseconds: try row.integer(9)))
        }
    }

    // MARK: What authenticators know their owners by

    /// - Returns: the name, and when the last challenge was made to which a passkey was added.
    public func passkeyHandle(of user: UserID)
        throws(StoreError) -> (handle: [UInt8], challengeAt: Timestamp)?
    {
        try one(
            "SELECT handle, challenge_at_ms FROM passkey_handles WHERE user_id = ?",
            [SQLValue(user)]
        ) { row throws(StoreError) in
            (try row.blob(0), Timestamp(milliseconds: try row.integer(1)))
        }
    }

    public func insertPasskeyHandle(_ handle: [UInt8], of user: UserID) throws(StoreError) {
        try driver.execute(
            "INSERT INTO passkey_handles (user_id, handle, challenge_at_ms) VALUES (?, ?, 0)",
            [SQLValue(user), .blob(handle)])
    }

    public func noteAddition(to challenge: Timestamp, by user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE passkey_handles SET challenge_at_ms = ? WHERE user_id = ?",
            [SQLValue(challenge), SQLValue(user)])
    }
}
