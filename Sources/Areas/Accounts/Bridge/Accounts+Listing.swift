import Contract
import JSON
import Store
import Tracking

/// What the operator sees of people and groups: no positions, and nothing that was measured.
extension Accounts {
    /// - Returns: `{users:[{user,name,kind?,directory?,hasPassword,disabledAt?,groups:[{group,name}],
    ///   devices:[{device,loggedIn,lastSeen?}]}],next?}`.
    func listUsers(_ page: OperatorCommand.Page) throws(Refused) -> [UInt8] {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.users(
                after: page.after, prefix: page.prefix, atMost: page.limit + 1)
        }
        return JSONWriter.object { json in
            json.key("users")
            json.array(rows.prefix(page.limit).compactMap(listed)) { json, user in
                json.object { json in
                    json.listed(user.person, hasPassword: user.hasPassword)
                    json.flag("directory", directoryAccount(of: user.person) != nil)
                }
            }
            json.next(rows.map(\.name.text), page)
        }
    }

    private func listed(_ row: (name: Name, hasPassword: Bool))
        -> (person: Person, hasPassword: Bool)?
    {
        memory.account(row.name).map { ($0, row.hasPassword) }
    }

    /// - Returns: `{groups:[{group,name,members}],next?}`: how many members there are.
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
            json.next(keys, page)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func next(_ found: [String], _ page: OperatorCommand.Page) {
        guard found.count > page.limit else { return }
        key("next")
        string(found[page.limit - 1])
    }

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
        array(person.memberships) { json, membership in
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
