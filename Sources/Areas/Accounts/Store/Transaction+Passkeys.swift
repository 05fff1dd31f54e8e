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

    static let record = Record<PasskeyRow>(
        "passkeys", Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("credential_id", .blob, \.credential), Column("public_key", .blob, \.publicKey),
        Column("sign_count", .count, \.signCount), Column("is_synced", .flag, \.isSynced),
        Column("label", .text, \.label), Column("added_at_ms", .time, \.addedAt),
        Column("used_at_ms", .null(or: .time), \.usedAt),
        Column("challenge_at_ms", .time, \.challengeAt), make: PasskeyRow.init)

    /// As its owner sees it.
    public var message: PasskeyMessage {
        PasskeyMessage(id: id, label: label, isSynced: isSynced, addedAt: addedAt, usedAt: usedAt)
    }
}

extension Transaction {
    public func insert(_ passkey: PasskeyRow) throws(StoreError) {
        try insert(passkey, PasskeyRow.record)
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
        try rows(PasskeyRow.record, "WHERE user_id = ? ORDER BY id", [SQLValue(user)])
    }

    /// The passkey with the id that an authenticator has chosen.
    public func passkey(credential: [UInt8]) throws(StoreError) -> PasskeyRow? {
        try rows(PasskeyRow.record, "WHERE credential_id = ?", [.blob(credential)]).first
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
