public import Contract
public import Tracking

/// The rights in the database, as read by the gate.
public final class StoredAccess: AccessSource {
    private let store: Store
    private let path: String
    /// The file that was opened; nil if there was none at the path.
    private let file: FileIdentity?

    /// Opens the database at a path read-only, without waiting for locks: the broker serves no
    /// client during a call.
    public convenience init(path: String) throws(AccessSourceError) {
        // Read before the file is opened, to notice a replacement in between.
        let file = FileIdentity(path)
        self.init(
            try reading { () throws(StoreError) in
                try Store.openReadOnly(path, patience: .zero)
            }, path, file)
    }

    /// - Parameter store: a store already opened from the file at the path.
    package convenience init(_ store: Store, path: String) {
        self.init(store, path, FileIdentity(path))
    }

    private init(_ store: Store, _ path: String, _ file: FileIdentity?) {
        self.store = store
        self.path = path
        self.file = file
    }

    public var isReplaced: Bool {
        guard let file else { return true }
        return FileIdentity(path) != file
    }

    public func version() throws(AccessSourceError) -> Int64 {
        try reading { () throws(StoreError) in try store.foreignChanges() }
    }

    public func newestChange() throws(AccessSourceError) -> Int64 {
        try read { transaction throws(StoreError) in try transaction.lastAccessChange() }
    }

    public func changes(after number: Int64) throws(AccessSourceError) -> AccessChanges? {
        let changes = try read { transaction throws(StoreError) in
            try transaction.accessChanges(after: number)
        }
        return changes.map {
            // Changes of the service's own programs are included; the gate caches nothing about
            // these.
            AccessChanges(
                last: $0.last?.number ?? number,
                holders: Set($0.compactMap { RightsHolder($0.principal) }))
        }
    }

    public func access(of user: Name) throws(AccessSourceError) -> UserAccess? {
        try read { transaction throws(StoreError) in try transaction.access(of: user) }
    }

    public func hasUser(_ name: Name) throws(AccessSourceError) -> Bool {
        try read { transaction throws(StoreError) in try transaction.hasUser(name) }
    }

    public func newestAccount() throws(AccessSourceError) -> Timestamp? {
        try read { transaction throws(StoreError) in try transaction.newestAccount() }
    }

    public func access(ofShare share: UUIDv7) throws(AccessSourceError) -> ShareAccess? {
        try read { transaction throws(StoreError) in try transaction.access(ofShare: share) }
    }

    public func access(ofObserver observer: UUIDv7) throws(AccessSourceError) -> ObserverAccess? {
        try read { transaction throws(StoreError) in
            try transaction.access(ofObserver: observer)
        }
    }

    public func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]? {
        try read { transaction throws(StoreError) in
            try transaction.tokenHash(ofSystem: system.rawValue)
        }
    }

    public func envelopeKey() throws(AccessSourceError) -> [UInt8]? {
        try read { transaction throws(StoreError) in
            try transaction.serviceKey(Transaction.envelopeKeyName)
        }
    }

    private func read<Value>(
        _ body: (Transaction) throws(StoreError) -> Value
    ) throws(AccessSourceError) -> Value {
        try reading { () throws(StoreError) in try store.transaction(body) }
    }
}

extension RightsHolder {
    /// - Parameter principal: as in the changes table.
    fileprivate init?(_ principal: String) {
        if let name = Name(principal) {
            self = .user(name)
        } else if let share = ViewerToken.subject(ofUsername: principal) {
            self = .share(share)
        } else if let observer = ObserverToken.subject(ofUsername: principal) {
            self = .observer(observer)
        } else {
            return nil
        }
    }
}

private func reading<Value>(
    _ body: () throws(StoreError) -> Value
) throws(AccessSourceError) -> Value {
    do throws(StoreError) { return try body() } catch { throw AccessSourceError("\(error)") }
}
