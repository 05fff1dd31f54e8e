public import Contract
internal import Tracking

/// Names of deleted accounts.
extension Transaction {
    /// Whether the name belonged to a deleted account, and is never reused.
    public func isRetired(_ name: Name) throws(StoreError) -> Bool {
        let mark = try mark(of: name)
        return try one("SELECT 1 FROM retired_names WHERE mark = ?", [.blob(mark)]) { row in
            try row.integer(0)
        } != nil
    }

    /// Reserves the name forever.
    func retire(_ name: Name) throws(StoreError) {
        try driver.execute(
            "INSERT INTO retired_names (mark) VALUES (?) ON CONFLICT (mark) DO NOTHING",
            [.blob(try mark(of: name))])
    }

    private func mark(of name: Name) throws(StoreError) -> [UInt8] {
        let key = try one("SELECT key FROM retired_names_key") { try $0.blob(0) }
        guard let key else {
            throw StoreError(.query, reason: "the key of the retired names is missing")
        }
        return RetiredName.mark(of: name, key: key)
    }

    // MARK: Existing users

    public func hasUser(_ name: Name) throws(StoreError) -> Bool {
        try one("SELECT 1 FROM users WHERE name = ?", [.text(name.text)]) { row in
            try row.integer(0)
        } != nil
    }

    func name(of user: UserID) throws(StoreError) -> Name? {
        try one("SELECT name FROM users WHERE id = ?", [SQLValue(user)]) { try $0.name(0) }
    }
}
