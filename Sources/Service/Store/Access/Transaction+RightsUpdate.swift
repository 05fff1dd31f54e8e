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

    /// What a file needs that has everything up to a change, or nothing.
    ///
    /// - Parameter last: nil for a new file.
    func rightsUpdate(after last: Int64?) throws(StoreError) -> RightsUpdate {
        var update = RightsUpdate()
        let newest = try lastAccessChange()
        update.changes = try rawAccessChanges(from: last ?? 0)
        update.first = try firstAccessChange()
        let known = last.map { last in last <= newest && update.changes.first?.number == last }
        if known == true {
            let principals = Set(update.changes.dropFirst().map(\.principal))
            if principals.contains(Transaction.everybody) {
                update.users = Set(try all("SELECT name FROM users") { try $0.text(0) })
            }
            try describe(principals, &update)
        } else {
            update.isEverything = true
            let users = try all("SELECT name FROM users ORDER BY name") { try $0.text(0) }
            let grants = try openGrants().map { Principal.bearer($0).username }
            try describe(Set(users + grants), &update)
        }
        update.systems = try systemPrincipals()
        update.keys = try sharedKeys()
        return update
    }

    private func describe(_ principals: Set<String>, _ update: inout RightsUpdate)
        throws(StoreError)
    {
        for principal in principals {
            if let name = Name(principal) {
                update.holders.append(try holder(name))
            } else if let found = Principal(username: principal) {
                switch found {
                case .bearer(let grant): update.holders.append(try holder(grant, principal))
                case .system: update.systems = try systemPrincipals()
                case .device, .service, .guest: break
                }
            }
        }
    }

    private func holder(_ name: Name) throws(StoreError) -> RightsUpdate.Holder {
        let access = try access(of: name)
        let devices = access?.tokenHashes.map {
            RightsUpdate.Fact(kind: RightsUpdate.Kind.device, name: $0.key.text, value: $0.value)
        }
        return RightsUpdate.Holder(
            name: name.text, isUser: true, since: access?.since,
            facts: (devices ?? []) + facts(access?.facts ?? AccessFacts()))
    }

    private func holder(_ grant: Grant, _ principal: String) throws(StoreError)
        -> RightsUpdate.Holder
    {
        let access = try access(of: grant)
        let maker = access.map {
            RightsUpdate.Fact(
                kind: RightsUpdate.Kind.maker, name: $0.maker.text, value: $0.tokenHash)
        }
        return RightsUpdate.Holder(
            name: principal, isUser: false, since: nil,
            facts: (maker.map { [$0] } ?? []) + facts(access?.facts ?? AccessFacts()))
    }

    private func facts(_ facts: AccessFacts) -> [RightsUpdate.Fact] {
        let kinds: [(String, [String])] = [
            (RightsUpdate.Kind.group, facts.groups.map(\.text)),
            (RightsUpdate.Kind.friend, facts.friendsInSight.map(\.text)),
            (RightsUpdate.Kind.service, facts.services.map(\.text)),
        ]
        return kinds.flatMap { kind, names in
            names.map { RightsUpdate.Fact(kind: kind, name: $0) }
        }
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

    private func openGrants() throws(StoreError) -> [Grant] {
        let shares = try all("SELECT id FROM share_links WHERE ended_at_ms IS NULL") {
            UUIDv7(try $0.text(0)).map { Grant(.share, $0) }
        }
        let observers = try all("SELECT id FROM observers") {
            UUIDv7(try $0.text(0)).map { Grant(.observer, $0) }
        }
        return (shares + observers).compactMap { $0 }
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
