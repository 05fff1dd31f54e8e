import Contract
import Tracking

/// Lookups of the users and groups named in requests.
extension Turn {
    /// - Throws: `unknown-user`.
    func account(_ name: Name) throws -> Person {
        guard let person = memory.account(name) else {
            throw Problem(.unknownUser, "There is no user with that name.")
        }
        return person
    }

    /// - Throws: `unknown-group`.
    func group(_ key: GroupKey) throws -> Group {
        guard let group = memory.group(key) else {
            throw Problem(.unknownGroup, "There is no group with that id.")
        }
        return group
    }

    /// - Throws: `unknown-group`, or `not-a-member` for a group that the person is not in.
    func group(_ key: GroupKey, of person: Person) throws -> Group {
        let group = try group(key)
        guard person.membership(in: group.id) != nil else {
            throw Problem(.notAMember, "You are not a member of that group.")
        }
        return group
    }

    /// - Throws: `not-a-member`, also if there is no such user.
    func member(_ user: Name, of group: Group) throws -> Person {
        guard let member = memory.person(user), member.membership(in: group.id) != nil else {
            throw Problem(.notAMember, "That user is not a member of the group.")
        }
        return member
    }

    /// Returns the selected groups, all of them the person's.
    func groups(_ selection: GroupSelection, of person: Person) throws -> [Group] {
        switch selection {
        case .all:
            guard !person.memberships.isEmpty else {
                throw Problem(.notAMember, "You are not a member of any group.")
            }
            return person.memberships.map(\.group)
        case .some(let keys):
            var groups: [Group] = []
            for key in keys { groups.append(try group(key, of: person)) }
            return groups
        }
    }
}
