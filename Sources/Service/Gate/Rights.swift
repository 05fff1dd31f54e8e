import Contract
import Tracking

/// The stored rights, cached for each user that was looked up, until they change.
final class Rights {
    private let opening: () throws(AccessSourceError) -> any AccessSource
    private var source: (any AccessSource)?
    private var version: Int64 = 0
    /// The number of the newest change that was read.
    private(set) var lastChange: Int64 = 0
    private var users: [Name: UserAccess] = [:]
    /// Valid grants.
    private var grants: [Grant: GrantAccess] = [:]
    /// Looked-up names with an account, until that changes, …
    private var present: Set<Name> = []
    /// … and names without one, until anything changes.
    private var absent: Set<Name> = []
    /// When the newest account that existed at the broker's start was created; the broker's saved
    /// sessions belong to no newer one. Nil until the store has been read.
    private var newestAtStart: Timestamp?

    /// The hashes of the service's own tokens, as they were when last read: its programs have to
    /// connect in order to report that the store cannot be read.
    private var systemHashes: [Principal.System: [UInt8]] = [:]

    /// The public key for envelopes as last read, and whether nothing has changed since.
    private var envelopeKey: [UInt8]?
    private var isKeyCurrent = false
    private var lastKeyReading: Duration?

    private var lastLook: Duration?
    private var lastSuccess: Duration?
    private var lastOpening: Duration?
    private var lastReplacementCheck: Duration?

    /// The reason why there is no store, if there is none.
    private(set) var failure: AccessSourceError?
    /// The reason why a single user's rights could not be read.
    private var readingFailure: AccessSourceError?

    /// The time for which the last result remains valid while the store cannot be read.
    static let patience = Duration.milliseconds(100)
    private static let reopening = Duration.milliseconds(100)
    /// The interval at a first start, when the bridge creates the database and connects.
    private static let firstReopening = Duration.milliseconds(10)
    private static let replacementChecking = Duration.seconds(1)
    private static let keyReading = Duration.seconds(1)

    /// - Parameter opening: opens the store, or its replacement.
    init(_ opening: @escaping () throws(AccessSourceError) -> any AccessSource) {
        self.opening = opening
    }

    /// Whether the cached rights are up to date.
    func isTrusted(at now: Duration) -> Bool {
        lastSuccess.map { now - $0 <= Rights.patience } ?? false
    }

    /// Whether the store was ever read.
    var wasEverRead: Bool { lastSuccess != nil }

    /// Makes the next check query the store, however recent the last one was.
    func invalidate() { lastLook = nil }

    /// Makes it also check whether the store was replaced.
    func doubt() { (lastLook, lastReplacementCheck) = (nil, nil) }

    /// Checks whether the store has changed, unless that was just checked.
    ///
    /// - Returns: the holders whose rights may have changed since the last time; nil for all of
    ///   them.
    func refresh(at now: Duration) -> Set<RightsHolder>? {
        if let lastLook, now - lastLook < AccessPolicy.freshness { return [] }
        lastLook = now
        do throws(AccessSourceError) {
            if try open(at: now) {
                (lastSuccess, failure) = (now, nil)
                return nil
            }
            guard let source else { return [] }
            let version = try source.version()
            var changed: Set<RightsHolder>? = []
            if version != self.version {
                changed = try take(source.changes(after: lastChange), from: source)
                self.version = version
                absent = []
                isKeyCurrent = false
            }
            (lastSuccess, failure) = (now, nil)
            return changed
        } catch {
            failure = error
            if !isTrusted(at: now) { source = nil }
            return []
        }
    }

    private func take(_ changes: AccessChanges?, from source: any AccessSource)
        throws(AccessSourceError) -> Set<RightsHolder>?
    {
        guard let changes else {
            (users, present, grants) = ([:], [], [:])
            lastChange = try source.newestChange()
            return nil
        }
        lastChange = changes.last
        for holder in changes.holders {
            forget(holder)
            if case .user(let name) = holder { present.remove(name) }
        }
        return changes.holders
    }

    // MARK: Queries

    /// The number of cached users.
    var count: Int { users.count }

    /// The last reason why a user's rights could not be read; returned once.
    func takeReadingFailure() -> AccessSourceError? {
        defer { readingFailure = nil }
        return readingFailure
    }

    /// - Returns: nil if there is no such user.
    func user(_ name: Name) throws(AccessSourceError) -> UserAccess? {
        if let known = users[name] { return known }
        guard let source else { throw failure ?? Rights.absence }
        do throws(AccessSourceError) {
            let user = try source.access(of: name)
            // Names that do not exist are not cached: there are too many of them.
            if let user { users[name] = user }
            return user
        } catch {
            readingFailure = error
            throw error
        }
    }

    /// Whether there is such an account, if nothing else about it is needed.
    func hasAccount(_ name: Name) throws(AccessSourceError) -> Bool {
        if users[name] != nil || present.contains(name) { return true }
        if absent.contains(name) { return false }
        guard let source else { throw failure ?? Rights.absence }
        do throws(AccessSourceError) {
            let isThere = try source.hasUser(name)
            if present.count + absent.count >= Rights.namesKept { (present, absent) = ([], []) }
            if isThere { present.insert(name) } else { absent.insert(name) }
            return isThere
        } catch {
            readingFailure = error
            throw error
        }
    }

    /// The maximum number of names remembered as having, or not having, an account.
    private static let namesKept = 20_000

    /// Whether the user is too new to own any session that the broker had saved before its start.
    func isNew(since: Timestamp) -> Bool { newestAtStart.map { since > $0 } ?? false }

    /// - Returns: nil if there is no such grant, or it has ended.
    func access(of grant: Grant) throws(AccessSourceError) -> GrantAccess? {
        if let known = grants[grant] { return known }
        guard let source else { throw failure ?? Rights.absence }
        do throws(AccessSourceError) {
            let access = try source.access(of: grant)
            if let access { grants[grant] = access }
            return access
        } catch {
            readingFailure = error
            throw error
        }
    }

    /// Returns the hash, or its last known value if it cannot be read now.
    ///
    /// - Returns: nil if it has none.
    func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]? {
        guard let source else {
            if let known = systemHashes[system] { return known }
            throw failure ?? Rights.absence
        }
        do throws(AccessSourceError) {
            let hash = try source.tokenHash(of: system)
            systemHashes[system] = hash
            return hash
        } catch {
            readingFailure = error
            if let known = systemHashes[system] { return known }
            throw error
        }
    }

    /// Makes the next query for the key reread it, however recent the last one was.
    func doubtEnvelopeKey() { (isKeyCurrent, lastKeyReading) = (false, nil) }

    /// - Returns: nil if there is none, or none could be read yet.
    func envelopeKey(at now: Duration) -> [UInt8]? {
        guard let source, !isKeyCurrent,
            lastKeyReading.map({ now - $0 >= Rights.keyReading }) ?? true
        else { return envelopeKey }
        do throws(AccessSourceError) {
            envelopeKey = try source.envelopeKey()
            (isKeyCurrent, lastKeyReading) = (true, now)
        } catch {
            readingFailure = error
        }
        return envelopeKey
    }

    static let absence = AccessSourceError("There is no database.")

    /// Removes a holder without sessions from the cache.
    func forget(_ holder: RightsHolder) {
        switch holder {
        case .user(let name): users[name] = nil
        case .grant(let grant): grants[grant] = nil
        }
    }

    // MARK: Opening

    /// - Returns: whether it was just opened, so that nothing from another store is cached.
    private func open(at now: Duration) throws(AccessSourceError) -> Bool {
        if let open = source,
            lastReplacementCheck.map({ now - $0 >= Rights.replacementChecking }) ?? true
        {
            lastReplacementCheck = now
            guard open.isReplaced else { return false }
            source = nil
        }
        if source != nil { return false }
        let pause = wasEverRead ? Rights.reopening : Rights.firstReopening
        if let lastOpening, now - lastOpening < pause { return false }
        lastOpening = now
        let opened = try opening()
        // The version is read first, so that changes made in between are checked again.
        version = try opened.version()
        lastChange = try opened.newestChange()
        if newestAtStart == nil {
            newestAtStart = try opened.newestAccount() ?? Timestamp(milliseconds: 0)
        }
        lastReplacementCheck = now
        (isKeyCurrent, lastKeyReading) = (false, nil)
        (users, present, absent, grants) = ([:], [], [], [:])
        // Set last, so that a store that could not be read completely is reopened.
        source = opened
        return true
    }
}
