import Contract
import Store
import Tracking

extension Invitations {
    /// Adds a user immediately if their settings allow it, otherwise invites them.
    func add(_ invitee: InvitationCommand.Invitee, to key: GroupKey, by person: Person)
        throws -> [UInt8]
    {
        let group = try group(key, of: person)
        let meant = try find(invitee, by: person)
        try checkNoMember(meant, group)
        if try mayAdd(meant, person), let meant {
            try areas.groups.add(meant, to: group, by: person)
            return InvitationResult.added.bytes(of: (group.message, isInvited: false))
        }
        _ = try make(invitee, to: group, until: nil, by: person)
        return InvitationResult.added.bytes(of: (group.message, isInvited: true))
    }

    func invite(
        _ invitee: InvitationCommand.Invitee, to key: GroupKey, until end: Timestamp,
        by person: Person
    ) throws -> [UInt8] {
        let group = try group(key, of: person)
        try checkNoMember(try find(invitee, by: person), group)
        return try make(invitee, to: group, until: end, by: person).result()
    }

    /// Creates a link, and replies itself: the token is sent once, and not stored.
    func makeLink(
        to key: GroupKey, uses: Int, until end: Timestamp, by person: Person, _ asker: Requester
    ) throws {
        let group = try group(key, of: person)
        try checkRoom(in: group, for: person)
        let secret = TokenSecret(using: &random)
        let row = InvitationRow(
            id: nextID(), group: group.id, by: person.id, invitee: nil, uses: uses, at: now,
            expiresAt: end)
        try transaction.insert(row, tokenHash: secret.hash)
        try turn.reply(to: asker, secretly: row.result(secret), without: row.result())
    }

    /// Returns the person that the inviter refers to; an address refers to a user only if they have
    /// proved it.
    private func find(_ invitee: InvitationCommand.Invitee, by person: Person) throws -> Person? {
        let meant = try whom(invitee)
        try areas.friends.countIfStranger(meant, to: person)
        return meant
    }

    func whom(_ invitee: InvitationCommand.Invitee) throws -> Person? {
        switch invitee {
        case .user(let name): return memory.person(name)
        case .email(let email):
            guard let owner = memory.person(email: email.text),
                try transaction.standing(of: owner.id).emailVerifiedAt != nil
            else { return nil }
            return owner
        }
    }

    private func checkNoMember(_ meant: Person?, _ group: Group) throws {
        guard let meant, meant.membership(in: group.id) != nil else { return }
        throw Problem(.alreadyAMember, "That user is already a member of the group.")
    }

    /// Performs the same queries for a user who does not exist.
    private func mayAdd(_ meant: Person?, _ person: Person) throws -> Bool {
        let id = meant?.id ?? UserID(rawValue: 0)
        let (hasBlocked, isFriend) = (
            try transaction.hasBlocked(id, person.id),
            try transaction.isFriend(person.id, of: id)
        )
        guard let meant, !hasBlocked else { return false }
        switch meant.addableBy {
        case .nobody: return false
        case .friends: return isFriend
        case .anyoneInMyGroups:
            return isFriend
                || meant.sharesGroup(with: person)
        }
    }

    /// Creates an invitation without resolving the invitee, so that the work is always the same. An
    /// open invitation to the same person is reused.
    ///
    /// - Parameter end: nil for the default lifetime.
    private func make(
        _ invitee: InvitationCommand.Invitee, to group: Group, until end: Timestamp?,
        by person: Person
    ) throws -> InvitationRow {
        let earlier = try transaction.openInvitation(
            of: invitee, to: group.id, by: person.id, at: now)
        if let earlier {
            // An invitation that reached no one may reach them now.
            if earlier.user == nil, earlier.isTold != nil {
                try lookAgain(earlier)
            }
            return earlier
        }
        try checkRoom(in: group, for: person)
        try checkPace(of: invitee, by: person)
        let row = InvitationRow(
            id: nextID(), group: group.id, by: person.id, invitee: invitee, uses: 1, at: now,
            expiresAt: end ?? now + InvitationCommand.usualLifetime)
        try transaction.insert(row, tokenHash: nil)
        new.append(row.id)
        return row
    }

    /// Limits invitations by what the inviter has made, whether or not they reached anyone.
    private func checkPace(of invitee: InvitationCommand.Invitee, by person: Person) throws {
        let made = try transaction.countInvitations(
            of: invitee, by: person.id, since: now - .seconds(86_400))
        guard made < Invitations.toldPerDay else {
            let limit = Invitations.toldPerDay
            throw Problem(
                .tooMany,
                "You have invited the same person \(limit) times within a day. Try again tomorrow.")
        }
    }

    private func checkRoom(in group: Group, for person: Person) throws {
        let (ofGroup, ofInviter) = (
            try transaction.countOpenInvitations(to: group.id, at: now),
            try transaction.countOpenInvitations(by: person.id, at: now)
        )
        guard ofInviter < Invitations.maximumOfInviter else {
            let limit = Invitations.maximumOfInviter
            throw Problem(
                .tooMany, "A user may have at most \(limit) open invitations. Revoke some.")
        }
        guard ofGroup < Invitations.maximumOfGroup else {
            let limit = Invitations.maximumOfGroup
            throw Problem(
                .tooMany, "A group may have at most \(limit) open invitations. Revoke some.")
        }
    }

    private func nextID() -> UUIDv7 { UUIDv7(at: now, random: (random.next(), random.next())) }
}

extension InvitationRow {
    fileprivate func result(_ secret: TokenSecret? = nil) -> [UInt8] {
        InvitationResult.created.bytes(of: (id, expiresAt, uses, secret))
    }
}
