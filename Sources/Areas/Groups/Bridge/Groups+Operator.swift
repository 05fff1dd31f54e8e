import Contract
import JSON
import Store

extension Groups {
    func perform(_ command: GroupOperatorCommand) throws -> [UInt8] {
        switch command {
        case .create(let name, let members):
            return try createGroup(name, of: try people(members))
        case .add(let key, let user):
            let group = try turn.group(key)
            try add(try turn.account(user), to: group, by: nil)
            return group.message.payload
        case .remove(let key, let user):
            let (group, member) = (try turn.group(key), try turn.account(user))
            guard member.membership(in: group.id) != nil else {
                throw Problem(.notAMember, "That user is not a member of the group.")
            }
            try remove(member, from: group, by: nil)
            return Array("{}".utf8)
        case .list(let page): return try listGroups(page)
        case .endObserver(let id): return try endObserver(id)
        }
    }

    /// - Throws: a single refusal that names all unknown users.
    private func people(_ names: [Name]) throws -> [Person] {
        let unknown = names.filter { memory.account($0) == nil }
        guard unknown.isEmpty else {
            let list = unknown.map(\.text).joined(separator: ", ")
            throw Problem(
                .unknownUser,
                unknown.count == 1
                    ? "There is no user \(list)." : "There are no users with these names: \(list).")
        }
        return try names.map { try turn.account($0) }
    }

    /// Creates a group of people who have not been asked, for the operator, and notifies them: with
    /// all of them, or not at all.
    ///
    /// A refusal undoes nothing that was done before it, so that everything is checked first.
    ///
    /// - Parameter people: at least one, without duplicates.
    private func createGroup(_ name: DisplayName, of people: [Person]) throws -> [UInt8] {
        guard let first = people.first else { preconditionFailure("a group has a member") }
        guard people.count <= BridgeSettings.maximumMembers else {
            let limit = BridgeSettings.maximumMembers
            throw Problem(.tooMany, "A group may have at most \(limit) members.")
        }
        let full = people.filter { $0.memberships.count >= BridgeSettings.maximumGroups }
        guard full.isEmpty else {
            let limit = BridgeSettings.maximumGroups
            throw Problem(
                .tooMany,
                "A user may be in at most \(limit) groups, and these are: "
                    + "\(full.map(\.name.text).joined(separator: ", ")).")
        }
        let key = GroupKey(using: &random)
        let message = GroupMessage(
            group: key, name: name.text, members: people.map { ($0.name, $0.displayName) })
        guard Group.hasRoom(for: message) else {
            throw Problem(.tooMany, "The names of all members do not fit into a message.")
        }
        let group = try createGroup(key, name, by: first)
        for person in people.dropFirst() { try add(person, to: group, by: nil) }
        return group.message.payload
    }

    /// - Returns: `{groups:[{group,name,members}],next?}`; `members` is their number.
    private func listGroups(_ page: OperatorCommand.Page) throws -> [UInt8] {
        let keys = try transaction.groups(after: page.after, atMost: page.limit + 1)
        return JSONWriter.object { json in
            json.key("groups")
            let groups = keys.prefix(page.limit).compactMap { GroupKey($0) }
            json.array(groups.compactMap { memory.group($0) }) { json, group in
                json.object { json in
                    json.members(GroupResult.named, (group.key, group.name))
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
