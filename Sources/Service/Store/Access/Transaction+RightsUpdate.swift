internal import Contract
internal import Tracking

extension Transaction {
    /// What the file needs after a transaction with these notes.
    ///
    /// - Parameter last: the number of the last change that the file has.
    func rightsUpdate(_ notes: RightsNotes, after last: Int64) throws(StoreError) -> RightsUpdate {
        var update = RightsUpdate()
        update.changes = try rawAccessChanges(from: last)
        update.first = notes.hasPruned ? try firstAccessChange() : nil
        update.forgotten = notes.forgotten
        try describe(notes.principals.union(notes.forgotten), &update)
        if notes.hasChangedKeys { update.keys = try sharedKeys() }
        return update
    }

    /// What a file needs that has everything up to a change.
    ///
    /// - Parameter isComplete: whether to look for users who are gone without a change that is known.
    /// - Returns: nil if the changes since then are not known.
    func rightsUpdate(after last: Int64, isComplete: Bool = true) throws(StoreError)
        -> RightsUpdate?
    {
        var update = RightsUpdate()
        update.changes = try rawAccessChanges(from: last)
        // The first change of all has the number 1.
        let isKnown = update.changes.first.map { $0.number == max(1, last) } ?? (last == 0)
        guard isKnown else { return nil }
        update.first = try firstAccessChange()
        try describe(Set(update.changes.dropFirst(last > 0 ? 1 : 0).map(\.principal)), &update)
        // The names of erased accounts are removed from changes.
        let hasErased = update.changes.contains {
            $0.number >= last && $0.principal == Transaction.everybody
        }
        if isComplete || hasErased {
            update.everybody = Set(try all("SELECT name FROM users") { try $0.text(0) })
        }
        update.systems = try systemPrincipals()
        update.keys = try sharedKeys()
        return update
    }

    /// Writes the rights of everybody into a new file.
    func fill(_ file: RightsFile) throws(StoreError) {
        var update = RightsUpdate()
        update.changes = try rawAccessChanges(from: 0)
        update.systems = try systemPrincipals()
        update.keys = try sharedKeys()
        try file.add(update)
        var names: [String] = []
        func pass(_ rest: Int) throws(StoreError) {
            guard names.count > rest else { return }
            var part = RightsUpdate()
            try describe(users: names, &part)
            part.holders = []
            try file.add(part)
            names = []
        }
        for name in try all("SELECT name FROM users ORDER BY name", [], { try $0.text(0) })
        where Name(name) != nil {
            names.append(name)
            try pass(Transaction.usersAtOnce - 1)
        }
        try pass(0)
        for grant in try openGrants() {
            var part = RightsUpdate()
            try describe(grant, &part)
            part.holders = []
            try file.add(part)
        }
    }

    /// The number of users whose facts are read together.
    private static let usersAtOnce = 1_024

    private func describe(_ principals: Set<String>, _ update: inout RightsUpdate)
        throws(StoreError)
    {
        let users = principals.filter { Name($0) != nil }.sorted()
        for start in stride(from: 0, to: users.count, by: Transaction.usersAtOnce) {
            let part = users.dropFirst(start).prefix(Transaction.usersAtOnce)
            try describe(users: Array(part), &update)
        }
        for principal in principals where Name(principal) == nil {
            switch Principal(username: principal) {
            case .bearer(let grant): try describe(grant, &update)
            case .system: update.systems = try systemPrincipals()
            case .device, .service, .guest, nil: break
            }
        }
    }

    private func describe(users names: [String], _ update: inout RightsUpdate) throws(StoreError) {
        let list = SQLList(names.map { .text($0) })
        let known = try all(
            "SELECT name, created_at_ms FROM users WHERE name IN \(list.places)", list.values
        ) { row in (name: try row.text(0), since: Timestamp(milliseconds: try row.integer(1))) }
        let present = Set(known.map(\.name))
        update.users += known
        update.holders += names.map {
            RightsUpdate.Holder(name: $0, isGone: !present.contains($0))
        }
        for (kind, query) in Transaction.factsOfUsers {
            update.facts += try all("\(query) \(list.places)", list.values) { row in
                RightsUpdate.Fact(
                    holder: try row.text(0), kind: kind, name: try row.text(1),
                    value: kind == RightsUpdate.Kind.device ? try row.blob(2) : nil)
            }
        }
    }

    /// For many users at once what ``access(of:)-(Name)`` reads for one.
    private static let factsOfUsers: KeyValuePairs = [
        RightsUpdate.Kind.device: """
        SELECT u.name, d.name, d.token_hash FROM devices d JOIN users u ON u.id = d.user_id
        WHERE d.token_hash IS NOT NULL AND u.name IN
        """,
        RightsUpdate.Kind.group: """
        SELECT u.name, g.key FROM memberships m JOIN groups g ON g.id = m.group_id
        JOIN users u ON u.id = m.user_id WHERE u.name IN
        """,
        RightsUpdate.Kind.friend: """
        SELECT u.name, s.name FROM friends f JOIN users u ON u.id = f.friend_id
        JOIN users s ON s.id = f.user_id
        WHERE f.shared_since_ms IS NOT NULL AND \(Transaction.isWelcome) AND u.name IN
        """,
        RightsUpdate.Kind.service: """
        SELECT u.name, s.name FROM service_consents c JOIN users u ON u.id = c.user_id
        JOIN users s ON s.id = c.service_id
        WHERE c.ended_at_ms IS NULL AND c.subscribed_at_ms IS NOT NULL
            AND s.id NOT IN \(Transaction.erasedUsers) AND u.name IN
        """,
    ]

    private func describe(_ grant: Grant, _ update: inout RightsUpdate) throws(StoreError) {
        let holder = Principal.bearer(grant).username
        update.holders.append(RightsUpdate.Holder(name: holder))
        guard let access = try access(of: grant) else { return }
        update.facts.append(
            RightsUpdate.Fact(
                holder: holder, kind: RightsUpdate.Kind.maker, name: access.maker.text,
                value: access.tokenHash))
        for group in access.facts.groups {
            update.facts.append(
                RightsUpdate.Fact(holder: holder, kind: RightsUpdate.Kind.group, name: group.text))
        }
    }

    private func openGrants() throws(StoreError) -> [Grant] {
        let shares = try all("SELECT id FROM share_links WHERE ended_at_ms IS NULL") {
            UUIDv7(try $0.text(0)).map { Grant(.share, $0) }
        }
        let observers = try all("SELECT id FROM observers") {
            UUIDv7(try $0.text(0)).map { Grant(.observer, $0) }
        }
        return (shares + observers).compactMap { $0 }
    }

    private func rawAccessChanges(from number: Int64)
        throws(StoreError) -> [(number: Int64, principal: String)]
    {
        try all(
            "SELECT number, principal FROM access_changes WHERE number >= ? ORDER BY number",
            [.integer(number)]
        ) { row in (try row.integer(0), try row.text(1)) }
    }

    private func firstAccessChange() throws(StoreError) -> Int64? {
        try one("SELECT MIN(number) FROM access_changes") { try $0.optionalInteger(0) } ?? nil
    }

    private func systemPrincipals() throws(StoreError) -> [String: [UInt8]] {
        Dictionary(
            try all("SELECT name, token_hash FROM system_principals") { row in
                (try row.text(0), try row.blob(1))
            }, uniquingKeysWith: { $1 })
    }

    /// The keys that the gate needs; no others leave the database.
    private func sharedKeys() throws(StoreError) -> [String: [UInt8]] {
        guard let key = try serviceKey(Transaction.envelopeKeyName) else { return [:] }
        return [Transaction.envelopeKeyName: key]
    }

    // MARK: Reading the file

    /// Like ``access(of:)-(Name)``, from a ``RightsFile``.
    func filedAccess(of user: Name) throws(StoreError) -> UserAccess? {
        let since = try one(
            "SELECT created_at_ms FROM users WHERE name = ?", [.text(user.text)]
        ) { Timestamp(milliseconds: try $0.integer(0)) }
        guard let since else { return nil }
        var access = UserAccess(since: since)
        try eachFact(of: user.text, &access.facts) { row in
            access.tokenHashes[try row.name(1)] = try row.blob(2)
        }
        return access
    }

    /// Like ``access(of:)-(Grant)``, from a ``RightsFile``.
    func filedAccess(of grant: Grant) throws(StoreError) -> GrantAccess? {
        var facts = AccessFacts()
        var found: (maker: Name, hash: [UInt8])?
        try eachFact(of: Principal.bearer(grant).username, &facts) { row in
            found = (try row.name(1), try row.blob(2))
        }
        return found.map { GrantAccess(tokenHash: $0.hash, maker: $0.maker, facts: facts) }
    }

    private func eachFact(
        of holder: String, _ facts: inout AccessFacts, token: (any SQLRow) throws -> Void
    ) throws(StoreError) {
        var read = AccessFacts()
        try each("SELECT kind, name, value FROM facts WHERE holder = ?", [.text(holder)]) { row in
            switch try row.text(0) {
            case RightsUpdate.Kind.group:
                if let key = GroupKey(try row.text(1)) { read.groups.insert(key) }
            case RightsUpdate.Kind.friend: read.friendsInSight.insert(try row.name(1))
            case RightsUpdate.Kind.service: read.services.insert(try row.name(1))
            case RightsUpdate.Kind.device, RightsUpdate.Kind.maker: try token(row)
            default: break
            }
        }
        facts = read
    }
}
