public import Contract
public import Tracking

/// A stored passkey.
public struct PasskeyRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    /// The id chosen by the authenticator.
    public let credential: [UInt8]
    /// COSE.
    public let publicKey: [UInt8]
    public let signCount: UInt32
    public let isSynced: Bool
    public let label: String
    public let addedAt: Timestamp
    /// The last login with it.
    public let usedAt: Timestamp?
    /// The time of the last challenge that it signed.
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

    /// The passkey as its owner sees it.
    public var message: PasskeyMessage {
        PasskeyMessage(id: id, label: label, isSynced: isSynced, addedAt: addedAt, usedAt: usedAt)
    }
}

extension Transaction {
    public func insert(_ passkey: PasskeyRow) throws(StoreError) {
        try insert(passkey, PasskeyRow.record)
    }

    /// Records a login with the passkey.
    ///
    /// - Parameter challenge: when the challenge that it signed was created.
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

    /// Returns a user's passkeys, the oldest first: a bounded number.
    public func passkeys(of user: UserID) throws(StoreError) -> [PasskeyRow] {
        try rows(PasskeyRow.record, "WHERE user_id = ? ORDER BY id", [SQLValue(user)])
    }

    /// Returns the passkey with the id chosen by an authenticator.
    public func passkey(credential: [UInt8]) throws(StoreError) -> PasskeyRow? {
        try rows(PasskeyRow.record, "WHERE credential_id = ?", [.blob(credential)]).first
    }

    // MARK: Authenticators' names of owners

    /// - Returns: the name, and when the challenge of the last added passkey was created.
    public func passkeyHandle(of user: UserID)
        throws(StoreError) -> (handle: [UInt8], challengeAt: Timestamp)?
    {
        try one(
            "SELECT handle, challenge_at_ms FROM passkey_handles WHERE user_id = ?",
            [SQLValue(user)]
        ) { row in (try row.blob(0), Timestamp(milliseconds: try row.integer(1))) }
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
