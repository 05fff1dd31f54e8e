import Contract
import Store
import Tracking

extension Invitations {
    /// Returns the open invitations to a group, for one of its members. Addresses in other members'
    /// invitations are hidden.
    func list(of key: GroupKey, for person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        let rows = try transaction.openInvitations(
            to: group.id, at: now, atMost: Invitations.maximumOfGroup)
        let shown = rows.compactMap { row -> OpenInvitation? in
            guard let inviter = memory.people[row.by] else { return nil }
            var invitee = row.invitee
            if case .email? = invitee, inviter !== person { invitee = nil }
            return OpenInvitation(
                id: row.id, by: inviter.name, invitee: invitee, uses: row.uses, used: row.used,
                at: row.at, expiresAt: row.expiresAt)
        }
        return InvitationResult.ofGroup.bytes(of: shown)
    }

    /// Returns the invitations that have reached the person.
    func list(for person: Person) throws -> [UInt8] {
        let rows = try transaction.openInvitations(
            of: person.id, at: now, atMost: Invitations.maximumOfGroup)
        let shown = rows.compactMap { row -> ReceivedInvitation? in
            guard let inviter = memory.people[row.by], let group = memory.groups[row.group] else {
                return nil
            }
            return ReceivedInvitation(
                id: row.id, name: group.name, by: (inviter.name, inviter.displayName),
                members: group.members.count, at: row.at, expiresAt: row.expiresAt)
        }
        return InvitationResult.received.bytes(of: shown)
    }

    /// Revokes an invitation to the group; any member may revoke any of them.
    func revoke(_ id: UUIDv7, in key: GroupKey, by person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        let row = try transaction.invitation(id)
        guard let row, row.group == group.id else { throw Invitations.unknown }
        try transaction.endInvitation(row.id, at: now)
        return Array("{}".utf8)
    }

    /// Ends the invitation links to the group: the member may have seen them, and could return
    /// with another account.
    func removed(_ member: Person, from group: Group) throws {
        try transaction.endLinks(to: group.id, at: now)
    }
}
