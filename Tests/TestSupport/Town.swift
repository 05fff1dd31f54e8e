public import Contract
import Foundation
import Glibc
public import Store
public import Tracking

/// A database with people in it, and the tokens with which they connect.
public final class Town {
    public let path: String
    public let store: Store
    private var random = SystemRandomNumberGenerator()
    private var users: [Name: UserID] = [:]
    private var devices: [String: DeviceID] = [:]
    private var groups: [GroupKey: GroupID] = [:]
    /// By `alice.phone`, and by `kith:bridge`.
    public private(set) var tokens: [String: String] = [:]

    /// - Parameter directory: for the file `kith.db`.
    public init(in directory: String) throws {
        path = directory + "/kith.db"
        store = try Store.open(path, at: .noon)
        for principal in Principal.System.allCases {
            let token = PrincipalToken(.system(principal), using: &random)
            tokens[principal.rawValue] = token.text
            try store.transaction { try $0.setTokenHash(token.hash, ofSystem: principal.rawValue) }
        }
    }

    /// As the gate opens it.
    public var opening: () throws(AccessSourceError) -> any AccessSource { Town.opening(path) }

    public static func opening(_ path: String)
        -> () throws(AccessSourceError) -> any AccessSource
    {
        { () throws(AccessSourceError) in try StoredAccess(path: path) }
    }

    public func add(_ user: Name, since: Timestamp = .noon, _ devices: Name...) throws {
        let id = try store.transaction { transaction in
            try transaction.insertUser(
                user, displayName: user.text, email: nil, ownTracksPublishIsSOS: false, at: since)
        }
        users[user] = id
        for device in devices {
            self.devices["\(user).\(device)"] = try store.transaction { transaction in
                try transaction.insertDevice(device, of: id, using: .kith, at: .noon)
            }
            try renewToken(user, device)
        }
    }

    /// The whole account.
    public func erase(_ user: Name) throws {
        for group in groups.keys { try leave(group, user) }
        guard let id = users.removeValue(forKey: user) else { throw Missing() }
        try store.transaction { _ = try $0.eraseUser(id, devices: []) }
        settle()
    }

    public func renewToken(_ user: Name, _ device: Name) throws {
        let token = DeviceToken(user: user, device: device, using: &random)
        try setHash(token.hash, user, device)
        tokens["\(user).\(device)"] = token.text
    }

    public func revoke(_ user: Name, _ device: Name) throws { try setHash(nil, user, device) }

    private func setHash(_ hash: [UInt8]?, _ user: Name, _ device: Name) throws {
        guard let id = devices["\(user).\(device)"] else { throw Missing() }
        try store.transaction { try $0.setTokenHash(hash, of: id) }
        settle()
    }

    @discardableResult
    public func found(_ key: GroupKey, _ members: Name...) throws -> GroupKey {
        groups[key] = try store.transaction { try $0.insertGroup(key, name: "A group", at: .noon) }
        for member in members { try join(key, member) }
        return key
    }

    public func join(_ key: GroupKey, _ user: Name) throws {
        guard let group = groups[key], let user = users[user] else { throw Missing() }
        try store.transaction { try $0.insertMembership(group, user, at: .noon) }
        settle()
    }

    public func leave(_ key: GroupKey, _ user: Name) throws {
        guard let group = groups[key], let user = users[user] else { throw Missing() }
        try store.transaction { try $0.deleteMembership(group, user) }
        settle()
    }

    /// - Parameter username: of the program that sees what the group sees.
    public func observe(_ key: GroupKey, _ giver: Name, as username: String) throws {
        guard let group = groups[key], let user = users[giver],
            let observer = Principal(username: username), case .bearer(let grant) = observer
        else { throw Missing() }
        let token = PrincipalToken(observer, using: &random)
        tokens[username] = token.text
        try store.transaction { transaction in
            try transaction.insert(
                ObserverRow(id: grant.id, group: group, user: user, name: "Home", at: .noon),
                tokenHash: token.hash)
        }
        settle()
    }

    /// As a friend.
    public func share(_ user: Name, with friend: Name) throws {
        guard let user = users[user], let friend = users[friend] else { throw Missing() }
        try store.transaction { transaction in
            if try transaction.friend(friend, of: user) == nil {
                try transaction.insertFriend(friend, of: user, at: .noon)
            }
            try transaction.share(user, with: [friend], since: .noon)
        }
        settle()
    }

    public func unshare(_ user: Name, with friend: Name) throws {
        guard let user = users[user], let friend = users[friend] else { throw Missing() }
        try store.transaction { try $0.share(user, with: [friend], since: nil) }
        settle()
    }

    public func block(_ user: Name, by other: Name) throws {
        guard let user = users[user], let other = users[other] else { throw Missing() }
        try store.transaction { try $0.insertBlock(of: user, by: other, at: .noon) }
        settle()
    }

    /// The gate checks the database at most a thousand times a second.
    private func settle() { usleep(1500) }

    public func token(_ who: String) throws -> String {
        guard let token = tokens[who] else { throw Missing() }
        return token
    }

    public struct Missing: Error {
        public init() {}
    }
}

extension Name: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let name = Name(text) else { preconditionFailure("\(text) is no name") }
        self = name
    }
}

extension GroupKey: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let key = GroupKey(text) else { preconditionFailure("\(text) is no key") }
        self = key
    }

    public static let family: GroupKey = "FamilyFamilyFamily_-09"
    public static let work: GroupKey = "WorkWorkWorkWorkWork00"
}
