public import Tracking

extension Transaction {
    /// Returns the hash of the user's password; nil if there is none, or no such user.
    public func passwordHash(of user: UserID) throws(StoreError) -> String? {
        try one("SELECT password_hash FROM users WHERE id = ?", [SQLValue(user)]) { row in
            try row.optionalText(0)
        } ?? nil
    }

    public func setPasswordHash(_ hash: String, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE users SET password_hash = ? WHERE id = ?", [.text(hash), SQLValue(user)])
    }

    public func updateUser(
        _ user: UserID, displayName: String, firstName: String?, lastName: String?,
        email: String?
    ) throws(StoreError) {
        try driver.execute(
            """
            UPDATE users SET display_name = ?, first_name = ?, last_name = ?, email = ?
            WHERE id = ?
            """,
            [
                .text(displayName), SQLValue(firstName), SQLValue(lastName), SQLValue(email),
                SQLValue(user),
            ])
    }
}
