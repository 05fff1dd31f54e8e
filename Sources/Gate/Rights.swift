import Contract
import Glibc
import Store
import Tracking

/// The rights in the database, cached for each user that was looked up, until they change there.
final class Rights {
    private let path: String
    private let opening: (String) throws(StoreError) -> Store
    private var store: Store?
    /// The file that was opened; another one may have replaced it.
    private var file: (device: UInt, inode: UInt)?
    private var version: Int64 = 0
    private var lastChange: Int64 = 0
    private var users: [Name: User] = [:]
    /// Of the names that were looked up: those that have an account, until that changes, …
    private var present: Set<Name> = []
    /// … and those that have none, until anything changes.
    private var absent: Set<Name> = []
    /// When the newest account that existed at the broker's start was created; the broker's saved
    /// sessions belong to no newer one. Nil until the database has been read.
    private var newestAtStart: Timestamp?

    /// The hashes of the service's own tokens, as they were when last read: its programs have to
    /// connect in order to report that the database cannot be read.
    private var systemHashes: [Principal.System: [UInt8]] = [:]

    private var lastLook: Duration?
    private var lastSuccess: Duration?
    private var lastOpening: Duration?
    private var lastFileCheck: Duration?

    /// Why there is no database, if there is none.
    private(set) var failure: StoreError?
    /// Why a single user's rights could not be read.
    private var readingFailure: StoreError?

    /// What is cached about a user.
    struct User {
        /// When the user was given the name.
        let since: Timestamp
        let tokenHashes: [Name: [UInt8]]
        let facts: AccessFacts
    }

    /// How long the last result remains valid while the database cannot be read.
    static let patience = Duration.milliseconds(100)
    private static let reopening = Duration.milliseconds(100)
    private static let fileChecking = Duration.seconds(1)

    init(path: String, opening: @escaping (String) throws(StoreError) -> Store) {
        self.path = path
        self.opening = opening
    }

    /// Whether the cached rights are up to date.
    func isTrusted(at now: Duration) -> Bool {
        lastSuccess.map { now - $0 <= Rights.patience } ?? false
    }

    /// Makes the next check look at the database, however recent the last one was.
    func doubt() { lastLook = nil }

    /// Checks whether the database has changed, unless that was checked just now.
    ///
    /// - Returns: the users whose rights may have changed since the last time; nil for all of them.
    func refresh(at now: Duration) -> Set<Name>? {
        if let lastLook, now - lastLook < AccessPolicy.freshness { return [] }
        lastLook = now
        do throws(StoreError) {
            if try open(at: now) {
                (lastSuccess, failure) = (now, nil)
                return nil
            }
            guard let store else { return [] }
            let version = try store.foreignChanges()
            var changed: Set<Name>? = []
            if version != self.version {
                let changes = try store.transaction { transaction throws(StoreError) in
                    try transaction.accessChanges(after: lastChange)
                }
                changed = try take(changes, from: store)
                self.version = version
                absent = []
            }
            (lastSuccess, failure) = (now, nil)
            return changed
        } catch {
            failure = error
            if !isTrusted(at: now) { store = nil }
            return []
        }
    }

    private func take(_ changes: [(number: Int64, principal: String)]?, from store: Store)
        throws(StoreError) -> Set<Name>?
    {
        guard let changes else {
            (users, present) = ([:], [])
            lastChange = try Rights.newestChange(in: store)
            return nil
        }
        guard let last = changes.last else { return [] }
        lastChange = last.number
        // The system's rights are not cached.
        let changed = Set(changes.compactMap { Name($0.principal) })
        for name in changed {
            users[name] = nil
            present.remove(name)
        }
        return changed
    }

    private static func newestChange(in store: Store) throws(StoreError) -> Int64 {
        try store.transaction { transaction throws(StoreError) in
            try transaction.lastAccessChange()
        }
    }

    // MARK: Asking

    /// The number of cached users.
    var count: Int { users.count }

    /// The last reason why a user's rights could not be read; returned once.
    func takeReadingFailure() -> StoreError? {
        defer { readingFailure = nil }
        return readingFailure
    }

    /// - Returns: nil if there is no such user.
    func user(_ name: Name) throws(StoreError) -> User? {
        if let known = users[name] { return known }
        guard let store else { throw failure ?? Rights.absence }
        do throws(StoreError) {
            let access = try store.transaction { transaction throws(StoreError) in
                try transaction.access(of: name)
            }
            let user = access.map {
                User(
                    since: $0.since, tokenHashes: $0.tokenHashes,
                    facts: AccessFacts(groups: $0.groups, friendsInSight: $0.friendsInSight))
            }
            // Names that do not exist are not cached: there are too many of them.
            if let user { users[name] = user }
            return user
        } catch {
            readingFailure = error
            throw error
        }
    }

    /// Whether there is such an account, if nothing else about it is needed.
    func hasAccount(_ name: Name) throws(StoreError) -> Bool {
        if users[name] != nil || present.contains(name) { return true }
        if absent.contains(name) { return false }
        guard let store else { throw failure ?? Rights.absence }
        do throws(StoreError) {
            let isThere = try store.transaction { transaction throws(StoreError) in
                try transaction.hasUser(name)
            }
            if present.count + absent.count >= Rights.namesKept { (present, absent) = ([], []) }
            if isThere { present.insert(name) } else { absent.insert(name) }
            return isThere
        } catch {
            readingFailure = error
            throw error
        }
    }

    /// The most names remembered as having, or not having, an account.
    private static let namesKept = 20_000

    /// Whether the user is too new to own any session that the broker had saved before its start.
    func isNew(since: Timestamp) -> Bool { newestAtStart.map { since > $0 } ?? false }

    func tokenHash(of system: Principal.System) -> [UInt8]? {
        guard let store else { return systemHashes[system] }
        do throws(StoreError) {
            let hash = try store.transaction { transaction throws(StoreError) in
                try transaction.tokenHash(ofSystem: system.rawValue)
            }
            systemHashes[system] = hash
            return hash
        } catch {
            readingFailure = error
            return systemHashes[system]
        }
    }

    private static let absence = StoreError(.open, reason: "there is no database")

    /// Removes a user without any session from the cache.
    func forget(_ name: Name) { users[name] = nil }

    // MARK: The file

    /// - Returns: whether it was opened just now, so that nothing from another file is cached.
    private func open(at now: Duration) throws(StoreError) -> Bool {
        if store != nil, lastFileCheck.map({ now - $0 >= Rights.fileChecking }) ?? true {
            lastFileCheck = now
            if let current = identity, let file, current == file { return false }
            store = nil
        }
        if store != nil { return false }
        if let lastOpening, now - lastOpening < Rights.reopening { return false }
        lastOpening = now
        file = identity
        let opened = try opening(path)
        // The version is read first, so that changes made in between are checked again.
        version = try opened.foreignChanges()
        lastChange = try Rights.newestChange(in: opened)
        if newestAtStart == nil {
            newestAtStart = try opened.transaction { transaction throws(StoreError) in
                try transaction.newestAccount() ?? Timestamp(milliseconds: 0)
            }
        }
        lastFileCheck = now
        (users, present, absent) = ([:], [], [])
        // Set last, so that a database that could not be read completely is opened again.
        store = opened
        return true
    }

    private var identity: (device: UInt, inode: UInt)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (UInt(status.st_dev), UInt(status.st_ino))
    }
}
