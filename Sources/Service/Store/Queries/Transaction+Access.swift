public import Contract
public import Tracking

extension Transaction {
    // MARK: Queries of the gate

    /// - Returns: nil if there is no such user.
    public func access(of user: Name) throws(StoreError) -> UserAccess? {
        let found = try one(
            "SELECT id, created_at_ms FROM users WHERE name = ?", [.text(user.text)]
        ) { row in
            (UserID(rawValue: try row.integer(0)), Timestamp(milliseconds: try row.integer(1)))
        }
        guard let (id, since) = found else { return nil }
        var access = UserAccess(since: since)
        try each(
            "SELECT name, token_hash FROM devices WHERE user_id = ? AND token_hash IS NOT NULL",
            [SQLValue(id)]
        ) { row in access.tokenHashes[try row.name(0)] = try row.blob(1) }
        try each(
            """
            SELECT groups.key FROM memberships JOIN groups ON groups.id = memberships.group_id
            WHERE memberships.user_id = ?
            """, [SQLValue(id)]
        ) { row in if let key = GroupKey(try row.text(0)) { access.facts.groups.insert(key) } }
        access.facts.friendsInSight = try namesInSight(of: id)
        access.facts.services = try servicesSubscribed(to: id)
        return access
    }

    /// Nil if there is no such grant, or it has ended.
    public func access(of grant: Grant) throws(StoreError) -> GrantAccess? {
        switch grant.kind {
        case .share: try access(ofShare: grant.id)
        case .observer: try access(ofObserver: grant.id)
        }
    }

    /// When the newest account was created; nil if there is none.
    public func newestAccount() throws(StoreError) -> Timestamp? {
        try one("SELECT created_at_ms FROM users ORDER BY created_at_ms DESC LIMIT 1") { row in
            Timestamp(milliseconds: try row.integer(0))
        }
    }

    /// - Parameter name: `kith:bridge`, `kith:operator`, `kith:dispatch`, `kith:metrics`.
    public func tokenHash(ofSystem name: String) throws(StoreError) -> [UInt8]? {
        try one("SELECT token_hash FROM system_principals WHERE name = ?", [.text(name)]) { row in
            try row.blob(0)
        }
    }

    /// The number of the newest change, 0 if there is none.
    public func lastAccessChange() throws(StoreError) -> Int64 {
        try one("SELECT COALESCE(MAX(number), 0) FROM access_changes") { try $0.integer(0) } ?? 0
    }

    /// The principals whose rights changed after the change with this number, oldest first.
    ///
    /// - Returns: nil if some of these changes are no longer kept, or the database was restored to
    ///   an earlier state: then all rights may have changed.
    public func accessChanges(after number: Int64)
        throws(StoreError) -> [(number: Int64, principal: String)]?
    {
        // Includes the change itself; if that is gone, the next one must exist.
        let changes: [(number: Int64, principal: String)] = try all(
            "SELECT number, principal FROM access_changes WHERE number >= ? ORDER BY number",
            [.integer(number)]
        ) { row in (try row.integer(0), try row.text(1)) }
        guard let first = changes.first?.number else { return number > 0 ? nil : [] }
        guard first == number || first == number + 1 else { return nil }
        let new = first == number ? Array(changes.dropFirst()) : changes
        return new.contains { $0.principal == Transaction.everybody } ? nil : new
    }

    /// The placeholder for the name of an erased account.
    static let everybody = "*"

    // MARK: Changes by the bridge

    /// Makes the gate read the user's rights again.
    public func noteAccessChange(of user: UserID) throws(StoreError) {
        try noteAccessChanges("SELECT name FROM users WHERE id = ?", [SQLValue(user)])
    }

    /// Makes the gate read the grant's rights again.
    public func noteAccessChange(of grant: Grant) throws(StoreError) {
        try noteAccessChanges("VALUES (?)", [.text(Principal.bearer(grant).username)])
    }

    /// Makes the gate read rights again.
    ///
    /// - Parameter principals: a query for the names of their holders.
    func noteAccessChanges(_ principals: String, _ values: [SQLValue]) throws(StoreError) {
        let insertion = "INSERT INTO access_changes (principal) \(principals)"
        guard let notes else { return try driver.execute(insertion, values) }
        try each("\(insertion) RETURNING principal", values) {
            notes.principals.insert(try $0.text(0))
        }
    }

    /// Removes the name from its changes. A gate that has not read them yet treats them as changes
    /// of all rights.
    func forgetAccessChanges(of name: Name) throws(StoreError) {
        notes?.forgotten.insert(name.text)
        try blankAccessChanges(of: name.text)
    }

    func blankAccessChanges(of name: String) throws(StoreError) {
        try driver.execute(
            "UPDATE access_changes SET principal = ? WHERE principal = ?",
            [.text(Transaction.everybody), .text(name)])
    }

    public func setTokenHash(_ hash: [UInt8], ofSystem name: String) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO system_principals (name, token_hash) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash
            """, [.text(name), .blob(hash)])
        try noteAccessChanges("VALUES (?)", [.text(name)])
    }
}
