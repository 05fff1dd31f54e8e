import Contract
import Store
import Tracking

/// Invitees' requests.
extension Invitations {
    /// Shows the inviter, the group and the observers that see it, so that no one joins unawares.
    ///
    /// - Parameters:
    ///   - person: nil for a guest.
    ///   - source: a guest's source.
    func show(_ token: InvitationToken, to person: Person?, from source: AttemptBook.Source?)
        throws -> [UInt8]
    {
        let asker =
            person.map { TokenAttempts.Source.user($0.id) } ?? .guest(source ?? .visitor(nil))
        let (row, group, inviter) = try find(token, for: person, asker)
        let isMember = person?.membership(in: group.id) != nil
        if !isMember { try checkOpen(row) }
        return InvitationResult.shown.bytes(
            of: (group.message, inviter.displayName, row.expiresAt, isMember))
    }

    /// Checks that a person without an account could accept.
    ///
    /// - Parameter source: a guest's source; nil if the attempt has been counted already.
    /// - Throws: as ``accept(_:_:)`` would.
    func check(_ token: InvitationToken, from source: AttemptBook.Source?) throws {
        let (row, group, _) = try find(token, for: nil, .guest(source ?? .visitor(nil)))
        try checkOpen(row)
        try areas.groups.checkRoom(in: group)
    }

    func accept(_ choice: InvitationCommand.Choice, _ person: Person) throws -> [UInt8] {
        let (row, group, inviter): Found
        switch choice {
        case .token(let token):
            (row, group, inviter) = try find(token, for: person, .user(person.id))
        case .id(let id):
            let own = try own(id, person)
            guard let found = try place(of: own, for: person) else { throw Invitations.unknown }
            (row, group, inviter) = found
        }
        if person.membership(in: group.id) != nil {
            try noteAnswered(row, by: person)
            return group.message.payload
        }
        try checkOpen(row)
        try areas.groups.admit(person, to: group, invitedBy: inviter)
        try transaction.use(row.id, at: now)
        try noteAnswered(row, by: person)
        return group.message.payload
    }

    /// Declines without notifying anyone; for a while the inviter cannot ask again for this group.
    func decline(_ id: UUIDv7, _ person: Person) throws -> [UInt8] {
        let row = try own(id, person)
        try transaction.decline(row.id, at: now)
        try noteAnswered(row, by: person)
        return Array("{}".utf8)
    }

    /// Marks the invitation's notice as seen, as the answer shows.
    private func noteAnswered(_ row: InvitationRow, by person: Person) throws {
        try areas.notices.noteAnswered(row.id, by: person)
    }

    // MARK: Lookup

    private typealias Found = (row: InvitationRow, group: Group, inviter: Person)

    /// - Throws: `unknown-invitation` for any invalid token, and `too-many-attempts`.
    private func find(
        _ token: InvitationToken, for person: Person?, _ source: TokenAttempts.Source
    ) throws -> Found {
        let attempts = authentication.tokens
        try turn.decisions.begin(try attempts.check(source, at: now))
        let row = try token.secret.flatMap { try transaction.invitation(withTokenHash: $0.hash) }
        guard let row else {
            attempts.noteFailure(of: source, at: now)
            throw Invitations.unknown
        }
        guard let found = try place(of: row, for: person) else { throw Invitations.unknown }
        return found
    }

    /// Nil if the group or the inviter is gone, or the inviter has blocked the person.
    private func place(of row: InvitationRow, for person: Person?) throws -> Found? {
        guard let group = memory.groups[row.group], let inviter = memory.people[row.by],
            // A disabled account cannot admit members.
            inviter.disabledAt == nil
        else { return nil }
        if let person, try areas.friends.hasBlocked(inviter, person) { return nil }
        return (row, group, inviter)
    }

    /// Returns an invitation that has reached the person.
    private func own(_ id: UUIDv7, _ person: Person) throws -> InvitationRow {
        let row = try transaction.invitation(id)
        guard let row, row.user == person.id, row.isTold == true else { throw Invitations.unknown }
        return row
    }

    private func checkOpen(_ row: InvitationRow) throws {
        let reason: String
        if row.used >= row.uses {
            reason = "It has been used."
        } else if row.endedAt != nil {
            reason = "It has been withdrawn."
        } else if row.expiresAt <= now {
            reason = "It has expired."
        } else {
            return
        }
        throw Problem(.invitationOver, "\(reason) Ask for a new one.")
    }

    static let unknown = Problem(.unknownInvitation, "There is no such invitation.")
}
