internal import Bridge
internal import Contract
public import Store
public import Tracking

/// The programs that observe groups, for the operator.
public struct ObserverListing: Sendable {
    public struct Observer: Sendable {
        public let id: UUIDv7
        public let name: String
        /// The user who created it.
        public let user: String
        public let group: String
        public let groupName: String
        public let since: Timestamp
    }

    /// The oldest first.
    public let observers: [Observer]

    /// - Throws: ``BridgeError``.
    public init(_ database: DatabaseAddress) throws {
        try database.check(mayBegin: false)
        do throws(StoreError) {
            let store = try Store.openReadOnly(database)
            try store.checkVersion()
            observers = try store.transaction { transaction in
                var users: [UserID: String] = [:]
                for user in try transaction.users() { users[user.id] = user.name.text }
                var groups: [GroupID: GroupRow] = [:]
                for group in try transaction.groups() { groups[group.id] = group }
                return try transaction.observers().compactMap { row in
                    guard let user = users[row.user], let group = groups[row.group] else {
                        return nil
                    }
                    return Observer(
                        id: row.id, name: row.name, user: user, group: group.key.text,
                        groupName: group.name, since: row.at)
                }
            }
        } catch {
            throw BridgeError(error.description)
        }
    }
}
