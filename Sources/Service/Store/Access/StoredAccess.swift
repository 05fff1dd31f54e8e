public import Contract
public import Tracking

/// The rights in the database, as read by the gate.
public final class StoredAccess: AccessSource {
    private let store: Store
    /// Whether the store is a ``RightsFile``.
    private let isFile: Bool
    private let database: String
    private let path: String
    /// The file that was opened; nil if there was none at the path.
    private let file: FileIdentity?

    /// Opens the database at a path read-only, without waiting for locks: the broker serves no
    /// client during a call.
    public convenience init(path: String) throws(AccessSourceError) {
        // Read before the file is opened, to notice a replacement in between.
        let chosen = StoredAccess.chosen(path)
        let file = FileIdentity(chosen)
        self.init(
            try reading { try Store.openReadOnly(chosen, patience: .zero) }, path, chosen, file)
    }

    /// The file that has the rights of the installation with that database: the database itself, or
    /// a ``RightsFile`` beside it.
    private static func chosen(_ database: String) -> String {
        RightsFile.isUsed(besides: database) ? RightsFile.path(for: database) : database
    }

    /// - Parameter store: a store already opened from the file at the path.
    package convenience init(_ store: Store, path: String) {
        self.init(store, path, path, FileIdentity(path))
    }

    private init(_ store: Store, _ database: String, _ path: String, _ file: FileIdentity?) {
        self.store = store
        isFile = database != path
        self.database = database
        self.path = path
        self.file = file
    }

    public var isReplaced: Bool {
        guard let file, StoredAccess.chosen(database) == path else { return true }
        return FileIdentity(path) != file
    }

    public func version() throws(AccessSourceError) -> Int64 {
        try reading { try store.foreignChanges() }
    }

    public func newestChange() throws(AccessSourceError) -> Int64 {
        try read { try $0.lastAccessChange() }
    }

    public func changes(after number: Int64) throws(AccessSourceError) -> AccessChanges? {
        let changes = try read { try $0.accessChanges(after: number) }
        return changes.map {
            // Changes of the service's own programs are included; the gate caches nothing about
            // these.
            AccessChanges(
                last: $0.last?.number ?? number,
                holders: Set($0.compactMap { RightsHolder($0.principal) }))
        }
    }

    public func access(of user: Name) throws(AccessSourceError) -> UserAccess? {
        try read { try isFile ? $0.filedAccess(of: user) : $0.access(of: user) }
    }

    public func hasUser(_ name: Name) throws(AccessSourceError) -> Bool {
        try read { try $0.hasUser(name) }
    }

    public func newestAccount() throws(AccessSourceError) -> Timestamp? {
        try read { try $0.newestAccount() }
    }

    public func access(of grant: Grant) throws(AccessSourceError) -> GrantAccess? {
        try read { try isFile ? $0.filedAccess(of: grant) : $0.access(of: grant) }
    }

    public func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]? {
        try read { try $0.tokenHash(ofSystem: system.rawValue) }
    }

    public func envelopeKey() throws(AccessSourceError) -> [UInt8]? {
        try read { try $0.serviceKey(Transaction.envelopeKeyName) }
    }

    private func read<Value>(
        _ body: (Transaction) throws -> Value
    ) throws(AccessSourceError) -> Value {
        try reading { try store.transaction(body) }
    }
}

extension RightsHolder {
    /// - Parameter principal: as in the changes table.
    fileprivate init?(_ principal: String) {
        let holder = Name(principal).map { .user($0) } ?? Principal(username: principal)?.holder
        guard let holder else { return nil }
        self = holder
    }
}

private func reading<Value>(_ body: () throws -> Value) throws(AccessSourceError) -> Value {
    do { return try body() } catch { throw AccessSourceError("\(error)") }
}
