internal import Bridge
internal import Contract
public import Store
public import Tracking

/// A listing of users, devices and groups for the operator.
public struct DirectoryListing: Sendable {
    public struct User: Sendable {
        public let name: String
        public let displayName: String
        /// When the user was locked out; nil if they are not.
        public let disabledAt: Timestamp?
        public let devices: [Device]
    }

    public struct Device: Sendable {
        public let name: String
        /// Whether it has a token with which it may connect.
        public let isLoggedIn: Bool
        /// Its last contact, to the hour; nil if there was none, or it is unknown.
        public let lastSeen: Timestamp?
    }

    public struct Group: Sendable {
        public let key: String
        public let name: String
        public let members: [String]
    }

    public let users: [User]
    public let groups: [Group]

    /// - Throws: ``BridgeError``.
    public init(_ database: DatabaseAddress) throws {
        try database.check(mayBegin: false)
        do throws(StoreError) {
            let store = try Store.openReadOnly(database)
            try store.checkVersion()
            (users, groups) = try store.transaction { transaction in
                let users = try transaction.users()
                let devices = Dictionary(
                    grouping: try transaction.devices().filter { !$0.isRemoved }, by: \.user)
                let members = Dictionary(grouping: try transaction.memberships(), by: \.group)
                let names = Dictionary(
                    users.map { ($0.id, $0.name.text) }, uniquingKeysWith: { $1 })
                return (
                    users.map { user in
                        User(
                            name: user.name.text, displayName: user.displayName,
                            disabledAt: user.disabledAt,
                            devices: devices[user.id, default: []].map {
                                Device(
                                    name: $0.name.text, isLoggedIn: $0.hasToken,
                                    lastSeen: $0.lastSeen)
                            })
                    },
                    try transaction.groups().map { group in
                        Group(
                            key: group.key.text, name: group.name,
                            members: members[group.id, default: []].compactMap {
                                names[$0.user]
                            })
                    }
                )
            }
        } catch {
            throw BridgeError(error.description)
        }
    }
}
