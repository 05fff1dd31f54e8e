internal import Contract
public import Sealing
public import Tracking

extension Transaction {
    /// Returns the encryption context: the profile does not open as another user's.
    public static func profileContext(_ user: UserID) -> String { "profile \(user.rawValue)" }

    public func healthProfile(of user: UserID) throws(StoreError) -> SealingKeys.Sealed? {
        try one(
            "SELECT key_id, sealed FROM health_profiles WHERE user_id = ?", [SQLValue(user)]
        ) { row in SealingKeys.Sealed(key: try row.integer(0), bytes: try row.blob(1)) }
    }

    /// - Parameter mark: the mark of the person's number; nil if there is none.
    public func setHealthProfile(
        _ sealed: SealingKeys.Sealed, ssn mark: [UInt8]?, of user: UserID
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO health_profiles (user_id, key_id, sealed, ssn_mark) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id,
                sealed = excluded.sealed, ssn_mark = excluded.ssn_mark
            """,
            [
                SQLValue(user), .integer(sealed.key), .blob(sealed.bytes),
                mark.map { .blob($0) } ?? .null,
            ])
    }

    public func deleteHealthProfile(of user: UserID) throws(StoreError) {
        try driver.execute("DELETE FROM health_profiles WHERE user_id = ?", [SQLValue(user)])
    }

    /// Returns the users who have entered the number; ownership is not checked, so there may be
    /// several.
    public func users(withSSN marks: [[UInt8]], atMost limit: Int) throws(StoreError) -> [UserID] {
        var users: [UserID] = []
        for mark in marks {
            users += try all(
                """
                SELECT user_id FROM health_profiles
                WHERE ssn_mark = ? AND user_id NOT IN \(Transaction.erasedUsers)
                ORDER BY user_id LIMIT ?
                """, [.blob(mark), .integer(Int64(limit))]
            ) { UserID(rawValue: try $0.integer(0)) }
        }
        return users
    }

    /// Returns some profiles that an older key opens.
    public func healthProfiles(sealedBefore key: Int64, after user: UserID, limit: Int)
        throws(StoreError) -> [(user: UserID, sealed: SealingKeys.Sealed)]
    {
        try all(
            """
            SELECT user_id, key_id, sealed FROM health_profiles WHERE key_id < ? AND user_id > ?
            ORDER BY user_id LIMIT ?
            """, [.integer(key), SQLValue(user), .integer(Int64(limit))]
        ) { row in
            (
                UserID(rawValue: try row.integer(0)),
                SealingKeys.Sealed(key: try row.integer(1), bytes: try row.blob(2))
            )
        }
    }
}
