import Contract
import JSON
import Store
import Tracking

/// The operator's list of users, without positions or measurements.
extension Accounts {
    /// - Returns: `{users:[{user,name,kind?,directory?,hasPassword,disabledAt?,groups:[{group,name}],
    ///   devices:[{device,loggedIn,lastSeen?}]}],next?}`.
    func listUsers(_ page: OperatorCommand.Page) throws -> [UInt8] {
        let rows = try transaction.users(
            after: page.after, prefix: page.prefix, atMost: page.limit + 1)
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
}

/// Bounds a person's row, so that it fits into a reply.
private let mostGroupsListed = 100

extension JSONWriter {
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
            let group = membership.group
            json.object(GroupResult.named, (group.key, group.name))
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
