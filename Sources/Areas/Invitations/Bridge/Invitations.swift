import Contract
import Store
import Tracking

/// Invitations to groups.
///
/// An inviter who names a user learns nothing about them: whether they exist, have blocked the
/// inviter, or have declined. The answer is made before that is checked, by the same steps for
/// every name; a later turn checks it (``Invitations/deliver()``).
final class Invitations: AreaHandler {
    typealias State = InvitationState

    unowned let turn: Turn
    /// Created in this turn.
    var new: [UUIDv7] = []

    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["invitation-mails", "invitation-mails-refused"]

    func perform(
        _ command: InvitationCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .add, .invite, .accept, .decline, .revoke: noteUsage(.changes, of: person)
        case .list, .get: break
        }
        switch command {
        case .add(let group, let invitee): return try add(invitee, to: group, by: person)
        case .invite(let group, let invitee?, _, let end):
            return try invite(invitee, to: group, until: end, by: person)
        case .invite(let group, nil, let uses, let end):
            try makeLink(to: group, uses: uses, until: end, by: person, asker)
            return nil
        case .list(nil): return try list(for: person)
        case .list(let group?): return try list(of: group, for: person)
        case .get(let token): return try show(token, to: person, from: nil)
        case .accept(let choice): return try accept(choice, person)
        case .decline(let id): return try decline(id, person)
        case .revoke(let group, let id): return try revoke(id, in: group, by: person)
        }
    }

    func perform(
        _ command: InvitationGuestCommand, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .get(let token, _): try show(token, to: nil, from: source)
        }
    }

    func joined(_ member: Person, _ group: Group, by adder: Person?) {
        endings.append((member.id, group.id))
    }

    func left(_ member: Person, _ group: Group, by remover: Person?) throws {
        try transaction.endInvitations(to: group.id, by: member.id, at: now)
    }

    func finish(_ people: [Person]) throws {
        for (user, group) in endings {
            try transaction.endInvitations(to: group, of: user, at: now)
        }
        endings = []
        try deliver()
        state.undecided += new
        new = []
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let oldest = sweep.startedAt - Invitations.memory
        return try transaction.deleteInvitations(expiredBefore: oldest, atMost: limit) >= limit
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(InvitationState.self).next
    }

    /// The people who have joined a group, whose invitations to it end.
    private var endings: [(user: UserID, group: GroupID)] = []

    // MARK: Bounds

    /// The maximum number of open invitations.
    static let maximumOfGroup = 100
    static let maximumOfInviter = 50
    /// The daily number of invitations by the same inviter that reach a user, and that are made to
    /// the same name or address.
    static let toldPerDay = 5
    /// The time for which a decline keeps the inviter from asking again for the group.
    static let silence = Duration.seconds(30 * 86_400)
    /// The time that an expired invitation is kept, so that its token can be answered accordingly;
    /// at least as long as ``silence``.
    static let memory = Duration.seconds(30 * 86_400)
    /// Decisions per turn.
    static let decided = 20
}
