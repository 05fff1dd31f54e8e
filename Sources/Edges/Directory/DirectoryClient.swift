internal import CLDAP

/// Queries a directory (RFC 4511). Calls block until the answer: make them on separate threads.
public struct DirectoryClient: Sendable {
    private let settings: DirectorySettings

    public init(_ settings: DirectorySettings) { self.settings = settings }

    private func connect(within limit: Duration) throws(DirectoryError) -> LDAPConnection {
        try LDAPConnection(to: settings.server, until: .now + limit)
    }

    /// Reads the root entry that each server has, as the account that looks people up.
    ///
    /// - Throws: if the server does not answer, or refuses that account.
    public func reach() throws(DirectoryError) {
        let connection = try connect(within: settings.timeLimit)
        try introduce(to: connection)
        // Some servers return nothing to anyone: that is also an answer.
        _ = try connection.search("", .entry, "(objectClass=*)", ["1.1"])
    }

    // MARK: Passwords

    /// Returns the entry whose password it is; nil if it is wrong, or there is no such person, or
    /// more than one: each case takes the same number of requests.
    ///
    /// - Parameters:
    ///   - user: the user name as typed.
    ///   - entry: the entry of a known person; nil: any with the user name.
    public func authenticate(_ user: String, knownAs entry: EntryID? = nil, password: [UInt8])
        throws(DirectoryError) -> DirectoryEntry?
    {
        // For some servers a zero byte ends a text; the part before it may be empty.
        guard !user.isEmpty, !password.isEmpty, !password.contains(0) else { return nil }
        let connection = try connect(within: settings.timeLimit)
        guard let pattern = settings.bind else {
            return try search(user, entry, password, connection)
        }
        let name = pattern.with(user)
        guard try accepts(name, password, connection) else { return nil }
        let (found, code) = try connection.search(
            name, .entry, "(objectClass=*)", settings.attributes.all)
        guard code == LDAP_SUCCESS, let found = found.first else { throw .incomplete }
        return try self.entry(found)
    }

    private func search(
        _ user: String, _ entry: EntryID?, _ password: [UInt8], _ connection: LDAPConnection
    ) throws(DirectoryError) -> DirectoryEntry? {
        try introduce(to: connection)
        let (found, code) =
            if let entry {
                try look(for: entry, settings.attributes.all, connection)
            } else {
                try connection.search(
                    settings.base, .tree, settings.filter.with(user), settings.attributes.all)
            }
        try check(code)
        guard found.count == 1, let found = found.first, !found.name.isEmpty else {
            // A user who does not exist is bound like any other, and never admitted.
            let nobody = "\(settings.attributes.user)=\(DirectoryClient.nobody),\(settings.base)"
            _ = try accepts(nobody, password.map { _ in UInt8(ascii: "x") }, connection)
            return nil
        }
        guard try accepts(found.name, password, connection) else { return nil }
        return try self.entry(found)
    }

    private static let nobody = "kith-knows-nobody-of-this-name"

    /// Returns whether it is the entry's password. Servers have many codes for one that is wrong,
    /// or does not count now: locked, expired, gone.
    private func accepts(_ name: String, _ password: [UInt8], _ connection: LDAPConnection)
        throws(DirectoryError) -> Bool
    {
        let code = try connection.bind(as: name, password: password)
        switch code {
        case LDAP_SUCCESS: return true
        case LDAP_INVALID_CREDENTIALS, LDAP_NO_SUCH_OBJECT, LDAP_INAPPROPRIATE_AUTH,
            LDAP_UNWILLING_TO_PERFORM, LDAP_CONSTRAINT_VIOLATION, LDAP_INSUFFICIENT_ACCESS,
            LDAP_INVALID_DN_SYNTAX, LDAP_INVALID_SYNTAX:
            return false
        default: throw .failed(code)
        }
    }

    private func introduce(to connection: LDAPConnection) throws(DirectoryError) {
        guard let account = settings.account else { return }
        switch try connection.bind(as: account.name, password: account.password) {
        case LDAP_SUCCESS: return
        case LDAP_INVALID_CREDENTIALS, LDAP_NO_SUCH_OBJECT, LDAP_INAPPROPRIATE_AUTH,
            LDAP_INSUFFICIENT_ACCESS, LDAP_INVALID_DN_SYNTAX:
            throw .accountRefused
        case let code: throw .failed(code)
        }
    }

    private func check(_ code: Int32) throws(DirectoryError) {
        switch code {
        case LDAP_SUCCESS, LDAP_SIZELIMIT_EXCEEDED: return
        case LDAP_NO_SUCH_OBJECT: throw .baseMissing
        case LDAP_INSUFFICIENT_ACCESS, LDAP_INAPPROPRIATE_AUTH, LDAP_STRONG_AUTH_REQUIRED:
            throw .accountRefused
        case LDAP_TIMELIMIT_EXCEEDED: throw .timedOut
        default: throw .failed(code)
        }
    }

    private func entry(_ found: FoundEntry) throws(DirectoryError) -> DirectoryEntry {
        let attributes = settings.attributes
        let id: EntryID? =
            if let attribute = attributes.id {
                found.bytes(attribute).map { EntryID(attribute, $0) }
            } else {
                EntryID(name: found.name)
            }
        guard let id, let user = found.text(attributes.user) else { throw .incomplete }
        return DirectoryEntry(
            id: id, user: user, firstName: found.text(attributes.firstName),
            lastName: found.text(attributes.lastName), mail: found.text(attributes.mail))
    }

    // MARK: Remaining entries

    /// Returns which of the entries exist and may log in, at the time of the query.
    ///
    /// - Throws: if this is not certain for all of them, or no account may search
    ///   (``DirectorySettings/canSearch``).
    public func present(among entries: [EntryID]) throws(DirectoryError) -> Set<EntryID> {
        guard settings.canSearch else { throw .accountRefused }
        let connection = try connect(
            within: settings.timeLimit + DirectoryClient.perEntry * entries.count)
        try introduce(to: connection)
        // A directory that is being restored, or hides everything from us, seems to have no one in
        // it.
        let (found, code) = try connection.search(
            settings.base, .entry, "(objectClass=*)", ["objectClass"])
        try check(code)
        guard found.count == 1 else { throw .baseMissing }
        var present: Set<EntryID> = []
        for entry in entries where try isPresent(entry, connection) { present.insert(entry) }
        return present
    }

    private static let perEntry = Duration.milliseconds(500)

    private func isPresent(_ entry: EntryID, _ connection: LDAPConnection)
        throws(DirectoryError) -> Bool
    {
        let (found, code) = try look(for: entry, ["objectClass"], connection)
        try check(code)
        return !found.isEmpty
    }

    /// Searches for an entry that may log in. A name that no longer exists counts as not found.
    private func look(
        for entry: EntryID, _ attributes: [String], _ connection: LDAPConnection
    ) throws(DirectoryError) -> (found: [FoundEntry], code: Int32) {
        let mayLogIn = settings.filter.withAnybody
        guard let filter = entry.filter else {
            let (found, code) = try connection.search(
                entry.name ?? "", .entry, mayLogIn, attributes)
            return (found, code == LDAP_NO_SUCH_OBJECT ? LDAP_SUCCESS : code)
        }
        return try connection.search(
            settings.base, .tree, "(&\(filter)\(mayLogIn))", attributes)
    }
}

extension DirectoryServer {
    /// Whether this machine has libldap, without which no directory can be queried.
    public static var canBeAsked: Bool { ldap_is_installed() != 0 }
}
