import Contract
import TestSupport
import Tracking

/// Accounts in memory, with what ``AccessSource`` promises.
final class MemoryAccess: AccessSource {
    private var users: [Name: UserAccess] = [:]
    private var commits: Int64 = 0
    private var grants: [Grant: GrantAccess] = [:]
    private var changes: [RightsHolder] = []
    /// The changes up to this number are no longer kept.
    private var forgotten: Int64 = 0
    var isReplaced = false
    /// The reason why nothing can be read.
    var failure: AccessSourceError?
    /// The user whose rights cannot be read.
    var unreadable: Name?
    /// The grant that cannot be read.
    var unreadableGrant: Grant?
    private var key: [UInt8]?

    func set(_ name: Name, _ access: UserAccess?) {
        users[name] = access
        changes.append(.user(name))
        commits += 1
    }

    func setEnvelopeKey(_ key: [UInt8]?) {
        self.key = key
        commits += 1
    }

    func set(_ grant: Grant, _ access: GrantAccess?) {
        grants[grant] = access
        changes.append(.grant(grant))
        commits += 1
    }

    func change(_ name: Name, _ body: (inout UserAccess) -> Void) {
        changeUnnoticed(name, body)
        set(name, users[name])
    }

    /// As if this were another store, whose numbers happen to be the same.
    func changeUnnoticed(_ name: Name, _ body: (inout UserAccess) -> Void) {
        guard var access = users[name] else { return }
        body(&access)
        users[name] = access
    }

    func forgetChanges() { forgotten = Int64(changes.count) }

    private func check() throws(AccessSourceError) {
        if let failure { throw failure }
    }

    func version() throws(AccessSourceError) -> Int64 {
        try check()
        return commits
    }

    func newestChange() throws(AccessSourceError) -> Int64 {
        try check()
        return Int64(changes.count)
    }

    func changes(after number: Int64) throws(AccessSourceError) -> AccessChanges? {
        try check()
        guard number >= forgotten, number <= changes.count else { return nil }
        return AccessChanges(
            last: Int64(changes.count), holders: Set(changes.dropFirst(Int(number))))
    }

    func access(of user: Name) throws(AccessSourceError) -> UserAccess? {
        try check()
        if user == unreadable { throw AccessSourceError("A page is torn.") }
        return users[user]
    }

    func hasUser(_ name: Name) throws(AccessSourceError) -> Bool {
        try check()
        return users[name] != nil
    }

    func newestAccount() throws(AccessSourceError) -> Timestamp? {
        try check()
        return users.values.map(\.since).max()
    }

    func access(of grant: Grant) throws(AccessSourceError) -> GrantAccess? {
        try check()
        if grant == unreadableGrant { throw AccessSourceError("A page is torn.") }
        return grants[grant]
    }

    func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]? {
        try check()
        return nil
    }

    func envelopeKey() throws(AccessSourceError) -> [UInt8]? {
        try check()
        return key
    }
}
