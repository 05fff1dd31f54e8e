public import Contract
public import Tracking

/// A user as stored.
public struct UserRow: Sendable {
    public let id: UserID
    public let name: Name
    public let displayName: String
    /// Nil if the operator added the user.
    public let firstName: String?
    public let lastName: String?
    public let email: String?
    /// Whether an OwnTracks phone's publish button means SOS for this user.
    public let ownTracksPublishIsSOS: Bool

    public let createdAt: Timestamp
    /// The people who may add the user to a group without asking.
    public let addableBy: Addability
    public let kind: AccountKind
    public let profile: Profile
    /// When the operator locked the user out; nil if not locked out.
    public let disabledAt: Timestamp?

    public init(
        id: UserID, name: Name, displayName: String, firstName: String? = nil,
        lastName: String? = nil, email: String?, ownTracksPublishIsSOS: Bool,
        createdAt: Timestamp, addableBy: Addability = .usual, kind: AccountKind = .person,
        profile: Profile = Profile(), disabledAt: Timestamp? = nil
    ) {
        self.disabledAt = disabledAt
        self.id = id
        self.name = name
        self.displayName = displayName
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.ownTracksPublishIsSOS = ownTracksPublishIsSOS
        self.createdAt = createdAt
        self.addableBy = addableBy
        self.kind = kind
        self.profile = profile
    }
}

/// A device as stored.
public struct DeviceRow: Sendable {
    /// The protocol of its app.
    public enum AppProtocol: String, Sendable {
        case kith
        case ownTracks = "owntracks"
    }

    public let id: DeviceID
    public let user: UserID
    public let name: Name
    public let appProtocol: AppProtocol
    /// Whether it has a token for connecting.
    public let hasToken: Bool
    public let createdAt: Timestamp
    /// When its last message was received, to the hour; nil if unknown.
    public let lastSeen: Timestamp?
    /// ``lastSeen``, or when its token was created.
    public let unusedSince: Timestamp?
    /// Whether its owner has removed it.
    public let isRemoved: Bool

    public init(
        id: DeviceID, user: UserID, name: Name, appProtocol: AppProtocol, hasToken: Bool = false,
        createdAt: Timestamp, lastSeen: Timestamp? = nil, unusedSince: Timestamp? = nil,
        isRemoved: Bool = false
    ) {
        self.lastSeen = lastSeen
        self.unusedSince = unusedSince
        self.isRemoved = isRemoved
        self.id = id
        self.user = user
        self.name = name
        self.appProtocol = appProtocol
        self.hasToken = hasToken
        self.createdAt = createdAt
    }
}

extension Transaction {
    // MARK: Users

    public func insertUser(
        _ name: Name, displayName: String, firstName: String? = nil, lastName: String? = nil,
        email: String?, passwordHash: String? = nil, ownTracksPublishIsSOS: Bool,
        kind: AccountKind = .person, at now: Timestamp
    ) throws(StoreError) -> UserID {
        let user: UserID = try identifier(
            """
            INSERT INTO users (id, name, display_name, first_name, last_name, email, password_hash,
                owntracks_publish_is, created_at_ms, kind)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                try nextNumber(of: .users), .text(name.text), .text(displayName),
                SQLValue(firstName), SQLValue(lastName), SQLValue(email), SQLValue(passwordHash),
                .text(ownTracksPublishIsSOS ? "sos" : "fix"), SQLValue(now), .text(kind.rawValue),
            ])
        try noteAccessChange(of: user)
        return user
    }

    public func users() throws(StoreError) -> [UserRow] {
        try users("WHERE id NOT IN \(Transaction.erasedUsers) ORDER BY id", [])
    }

    public func user(_ name: Name) throws(StoreError) -> UserRow? {
        try users("WHERE name = ?", [.text(name.text)]).first
    }

    /// Users ordered by name.
    ///
    /// - Parameters:
    ///   - name: the last name of the previous part; nil: from the first.
    ///   - prefix: the prefix of the names.
    /// - Returns: the users, and which of them have a password.
    public func users(after name: String?, prefix: String, atMost limit: Int)
        throws(StoreError) -> [(name: Name, hasPassword: Bool)]
    {
        try all(
            """
            SELECT name, password_hash IS NOT NULL FROM users
            WHERE name || '' > ? AND name >= ? AND name < ? AND id NOT IN \(Transaction.erasedUsers)
            ORDER BY name LIMIT ?
            """,
            [
                .text(name ?? ""), .text(prefix),
                // Beyond all characters that a name may have.
                .text(prefix + "~"), .integer(Int64(limit)),
            ]
        ) { row in (try row.name(0), try row.integer(1) != 0) }
    }

    /// Groups ordered by id.
    ///
    /// - Parameter key: the last key of the previous part; nil: from the first.
    public func groups(after key: String?, atMost limit: Int) throws(StoreError) -> [String] {
        try all(
            "SELECT key FROM groups WHERE key > ? ORDER BY key LIMIT ?",
            [.text(key ?? ""), .integer(Int64(limit))]
        ) { try $0.text(0) }
    }

    /// - Parameter time: nil: the account is enabled.
    public func setDisabled(at time: Timestamp?, _ user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE users SET disabled_at_ms = ?, lock_out = ? WHERE id = ?",
            [
                time.map { SQLValue($0) } ?? .null, .integer(time == nil ? 0 : 1), SQLValue(user),
            ])
    }

    /// Records that a disabled account's lockout is complete.
    public func setLockedOut(_ user: UserID) throws(StoreError) {
        try driver.execute("UPDATE users SET lock_out = 0 WHERE id = ?", [SQLValue(user)])
    }

    /// The disabled accounts whose lockout is incomplete.
    public func usersToLockOut(atMost limit: Int) throws(StoreError) -> [UserID] {
        try all(
            "SELECT id FROM users WHERE lock_out ORDER BY id LIMIT ?", [.integer(Int64(limit))]
        ) { UserID(rawValue: try $0.integer(0)) }
    }

    /// User names by id, from a database of any version.
    public func userNames() throws(StoreError) -> [UserID: String] {
        Dictionary(
            try all("SELECT id, name FROM users", []) { row in
                (UserID(rawValue: try row.integer(0)), try row.text(1))
            }, uniquingKeysWith: { $1 })
    }

    private func users(_ condition: String, _ values: [SQLValue]) throws(StoreError) -> [UserRow] {
        try all(
            """
            SELECT id, name, display_name, first_name, last_name, email, owntracks_publish_is,
                created_at_ms, addable_by, kind, phone, phone_shown_to, language, avatar_digest,
                disabled_at_ms
            FROM users LEFT JOIN profiles ON user_id = id \(condition)
            """, values
        ) { row in
            UserRow(
                id: UserID(rawValue: try row.integer(0)), name: try row.name(1),
                displayName: try row.text(2), firstName: try row.optionalText(3),
                lastName: try row.optionalText(4), email: try row.optionalText(5),
                ownTracksPublishIsSOS: try row.text(6) == "sos",
                createdAt: Timestamp(milliseconds: try row.integer(7)),
                addableBy: try row.optionalText(8).flatMap { Addability(rawValue: $0) } ?? .usual,
                kind: AccountKind(rawValue: try row.text(9)) ?? .person,
                profile: try row.profile(from: 10), disabledAt: try row.optionalTime(14))
        }
    }

    // MARK: Memberships

    /// Returns memberships in the order of joining.
    public func memberships() throws(StoreError) -> [(group: GroupID, user: UserID)] {
        try all("SELECT group_id, user_id FROM memberships ORDER BY id") { row in
            (GroupID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1)))
        }
    }

    // MARK: Devices

    public func insertDevice(
        _ name: Name, of user: UserID, using appProtocol: DeviceRow.AppProtocol, at now: Timestamp
    ) throws(StoreError) -> DeviceID {
        try identifier(
            """
            INSERT INTO devices (id, user_id, name, speaks, created_at_ms)
            VALUES (?, ?, ?, ?, ?) RETURNING id
            """,
            [
                try nextNumber(of: .devices), SQLValue(user), .text(name.text),
                .text(appProtocol.rawValue), SQLValue(now),
            ])
    }

    public func setAppProtocol(_ appProtocol: DeviceRow.AppProtocol, of device: DeviceID)
        throws(StoreError)
    {
        try driver.execute(
            "UPDATE devices SET speaks = ? WHERE id = ?",
            [.text(appProtocol.rawValue), SQLValue(device)])
    }

    /// - Parameter hash: SHA-256 of the token's secret, which itself is never stored; nil revokes
    ///   the token.
    public func setTokenHash(_ hash: [UInt8]?, of device: DeviceID) throws(StoreError) {
        try driver.execute(
            "UPDATE devices SET token_hash = ? WHERE id = ?",
            [hash.map { .blob($0) } ?? .null, SQLValue(device)])
        try noteAccessChanges(
            """
            SELECT users.name FROM users JOIN devices ON devices.user_id = users.id
            WHERE devices.id = ?
            """, [SQLValue(device)])
    }

    public func devices() throws(StoreError) -> [DeviceRow] {
        try devices("WHERE user_id NOT IN \(Transaction.erasedUsers)", [])
    }

    public func devices(of user: UserID) throws(StoreError) -> [DeviceRow] {
        try devices("WHERE user_id = ?", [SQLValue(user)])
    }

    private func devices(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [DeviceRow]
    {
        try all(
            """
            SELECT id, user_id, name, speaks, token_hash IS NOT NULL, created_at_ms,
                last_seen_ms, unused_since_ms, removed_at_ms IS NOT NULL
            FROM devices \(condition) ORDER BY id
            """, values
        ) { row in
            DeviceRow(
                id: DeviceID(rawValue: try row.integer(0)),
                user: UserID(rawValue: try row.integer(1)), name: try row.name(2),
                appProtocol: DeviceRow.AppProtocol(rawValue: try row.text(3)) ?? .kith,
                hasToken: try row.integer(4) != 0,
                createdAt: Timestamp(milliseconds: try row.integer(5)),
                lastSeen: try row.optionalInteger(6).map { Timestamp(milliseconds: $0) },
                unusedSince: try row.optionalInteger(7).map { Timestamp(milliseconds: $0) },
                isRemoved: try row.integer(8) != 0)
        }
    }
}

extension SQLRow {
    func optionalTime(_ column: Int) throws(StoreError) -> Timestamp? {
        try optionalInteger(column).map { Timestamp(milliseconds: $0) }
    }

    func name(_ column: Int) throws(StoreError) -> Name {
        guard let name = Name(try text(column)) else {
            throw StoreError(.decode, reason: "a name is damaged")
        }
        return name
    }
}
