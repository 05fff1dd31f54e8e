public import Tracking

/// A user's acceptance of the terms and verified address.
public struct Standing: Sendable {
    public var emailVerifiedAt: Timestamp?
    public var termsVersion: String?
    public var termsAcceptedAt: Timestamp?
    public var secondFactorSince: Timestamp?

    /// The version accepted last, and when.
    public var terms: (version: String, acceptedAt: Timestamp)? {
        guard let termsVersion, let termsAcceptedAt else { return nil }
        return (termsVersion, termsAcceptedAt)
    }
}

extension Transaction {
    public func standing(of user: UserID) throws(StoreError) -> Standing {
        try one(
            """
            SELECT email_verified_at_ms, terms_version, terms_accepted_at_ms,
                (SELECT confirmed_at_ms FROM second_factors WHERE user_id = users.id)
            FROM users WHERE id = ?
            """, [SQLValue(user)]
        ) { row in
            func time(_ column: Int) throws(StoreError) -> Timestamp? {
                try row.optionalInteger(column).map { Timestamp(milliseconds: $0) }
            }
            return Standing(
                emailVerifiedAt: try time(0), termsVersion: try row.optionalText(1),
                termsAcceptedAt: try time(2), secondFactorSince: try time(3))
        } ?? Standing()
    }

    /// Keeps the first acceptance of a version.
    public func acceptTerms(_ version: String, by user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            """
            UPDATE users SET terms_version = ?, terms_accepted_at_ms = ?
            WHERE id = ? AND (terms_version IS NULL OR terms_version <> ?)
            """, [.text(version), SQLValue(now), SQLValue(user), .text(version)])
    }

    /// - Parameter time: nil if the address is not verified.
    public func setEmailVerified(at time: Timestamp?, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE users SET email_verified_at_ms = ? WHERE id = ?",
            [time.map { SQLValue($0) } ?? .null, SQLValue(user)])
    }
}
