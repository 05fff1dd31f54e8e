public import Contract
public import Tracking

/// Links by which people prove that an account is theirs.
extension Transaction {
    /// Stores a link; the user's earlier one for the same purpose becomes invalid.
    public func setLink(
        _ hash: [UInt8], _ purpose: AccountLink.Purpose, of user: UserID, until end: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO account_links (user_id, purpose, token_hash, expires_at_ms)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id, purpose) DO UPDATE SET
                token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms
            """, [SQLValue(user), .text(purpose.rawValue), .blob(hash), SQLValue(end)])
    }

    /// - Returns: the link's owner; nil if there is no such link, or it has expired.
    public func ownerOfLink(
        _ hash: [UInt8], _ purpose: AccountLink.Purpose, at now: Timestamp
    ) throws(StoreError) -> UserID? {
        try one(
            """
            SELECT user_id FROM account_links
            WHERE token_hash = ? AND purpose = ? AND expires_at_ms > ?
            """, [.blob(hash), .text(purpose.rawValue), SQLValue(now)]
        ) { UserID(rawValue: try $0.integer(0)) }
    }

    public func deleteLinks(of user: UserID, _ purpose: AccountLink.Purpose) throws(StoreError) {
        try driver.execute(
            "DELETE FROM account_links WHERE user_id = ? AND purpose = ?",
            [SQLValue(user), .text(purpose.rawValue)])
    }
}
