import Contract
import JSON
import Store
import Tracking

/// The operator's lists of users and groups, without positions or measurements.
extension Accounts {
    /// - Returns: `{users:[{user,name,kind?,directory?,hasPassword,disabledAt?,groups:[{group,name}],
    ///   devices:[{device,loggedIn,lastSeen?}]}],next?}`.
    func listUsers(_ page: OperatorCommand.Page) throws(Refused) -> [UInt8] {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.users(
                after: page.after, prefix: page.prefix, atMost: page.limit + 1)
        }
        var (users, size, last): ([[UInt8]], Int, Name?) = ([], 0, nil)
        for row in rows.prefix(page.limit) {
            let user = memory.account(row.name).map { listed($0, hasPassword: row.hasPassword) }
            size += (user?.count ?? 0) + 1
            // The rest is on the next page.
            if size > Accounts.mostOfList { break }
            last = row.name
            if let user { users.append(user) }
        }
        return JSONWriter.object { json in
            json.key("users")
            json.array(users) { json, user in json.raw(user) }
            guard let last, last != rows.last?.name else { return }
            json.key("next")
            json.string(last.text)
        }
    }

    /// Bytes; the rest of a reply is small.
    private static let mostOfList = PayloadLimits.maximum - 1_024

    private func listed(_ person: Person, hasPassword: Bool) -> [UInt8] {
        JSONWriter.object { json in
            json.listed(person, hasPassword: hasPassword)
            json.flag("directory", directoryAccount(of: person) != nil)
        }
    }

    /// - Returns: `{groups:[{group,name,members}],next?}`; `members` is their number.
    func listGroups(_ page: OperatorCommand.Page) throws(Refused) -> [UInt8] {
        let keys = try stored { transaction throws(StoreError) in
            try transaction.groups(after: page.after, atMost: page.limit + 1)
        }
        return JSONWriter.object { json in
            json.key("groups")
            let groups = keys.prefix(page.limit).compactMap { GroupKey($0) }
            json.array(groups.compactMap { memory.group($0) }) { json, group in
                json.object { json in
                    json.named(group)
                    json.key("members")
                    json.number(group.members.count)
                }
            }
            guard keys.count > page.limit else { return }
            json.key("next")
            json.string(keys[page.limit - 1])
        }
    }
}

/// Bounds a person's row, so that it fits into a reply.
private let mostGroupsListed = 100

extension JSONWriter {
    fileprivate mutating func named(_ group: Group) {
        key("group")
        string(group.key.text)
        key("name")
        string(group.name)
    }

    fileprivate mutating func listed(_ person: Person, hasPassword: Bool) {
        key("user")
        string(person.name.text)
        key("name")
        string(person.displayName)
        if person.kind != .person {
            key("kind")
            string(person.kind.rawValue)
        }
        key("hasPassword")
        bool(hasPassword)
        if let disabledAt = person.disabledAt {
            key("disabledAt")
            time(disabledAt)
        }
        key("groups")
        array(person.memberships.prefix(mostGroupsListed)) { json, membership in
            json.object { $0.named(membership.group) }
        }
        key("devices")
        array(person.ownDevices) { json, device in
            json.object { json in
                json.key("device")
                json.string(device.name.text)
                json.key("loggedIn")
                json.bool(device.hasToken)
                guard let seen = device.lastSeen else { return }
                json.key("lastSeen")
                json.time(seen)
            }
        }
    }
}
