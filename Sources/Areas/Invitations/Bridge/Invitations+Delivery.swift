import Contract
import Store
import Tracking

extension Invitations {
    /// Decides for some invitations whether they reach a user, and notifies those users.
    func deliver() throws {
        state.undecided += state.takeMails(dueAt: now)
        // Oldest first, as after a start.
        state.undecided.sort()
        let ids = state.undecided.prefix(Invitations.decided)
        state.undecided.removeFirst(ids.count)
        for id in ids {
            guard let row = try transaction.invitation(id), row.isTold == nil,
                let invitee = row.invitee
            else { continue }
            let meant = try whom(invitee)
            if meant == nil, case .email(let address) = invitee, try mail(row, to: address) {
                continue
            }
            state.mails[id] = nil
            guard let meant, let (person, inviter, group) = try receiver(of: row, meant) else {
                try transaction.decide(id, meaning: meant?.id, isTold: false)
                continue
            }
            try transaction.decide(id, meaning: meant.id, isTold: true)
            try areas.notices.add(
                .invitedToGroup(id, name: group.name), for: person, about: inviter, by: inviter)
        }
    }

    /// Returns nil if the invitation reaches no one, which is never revealed.
    private func receiver(of row: InvitationRow, _ person: Person) throws
        -> (person: Person, inviter: Person, group: Group)?
    {
        guard row.endedAt == nil,
            let inviter = memory.people[row.by], let group = memory.groups[row.group],
            inviter.membership(in: group.id) != nil, person.membership(in: group.id) == nil,
            try !transaction.hasBlocked(person.id, inviter.id),
            try !transaction.hasDeclined(
                person.id, by: inviter.id, to: group.id, since: now - Invitations.silence),
            try transaction.countTold(person.id, by: inviter.id, since: now - .seconds(86_400))
                < Invitations.toldPerDay
        else { return nil }
        return (person, inviter, group)
    }
}
