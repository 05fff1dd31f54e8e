import Contract
import Store
import Tracking

/// Who is left alone, also with one other who may be the one to fear.
extension Groups {
    /// Notes that a member was removed: a member who is left later may be left with the remover, or with an
    /// accomplice. The removed member may share other groups with them.
    func noteRemoval(of member: Person, from group: Group, by remover: Person)
        throws(StoreError)
    {
        let shared = look(through: member.memberships).map(\.group)
            .filter { $0 !== group && remover.membership(in: $0.id) != nil }
        for group in [group] + shared {
            group.removedAt = now
            try transaction.noteRemoval(from: group.id, at: now)
        }
    }

    /// Notifies a person who has lost a member of a group, if no other is left in any, or one alone and
    /// members were removed lately.
    func tellWhoIsLeft(_ person: Person, by remover: Person?) throws(StoreError) {
        let others = person.others(atMost: 2)
        let hadRemovals = person.memberships.contains { membership in
            membership.group.removedAt.map { now < $0 + Groups.removalMatters } ?? false
        }
        guard others.isEmpty || others.count == 1 && hadRemovals else { return }
        try areas.notices.add(
            .nobodyLeft(but: !others.isEmpty), for: person, about: others.first, by: remover)
    }

    /// For how long a removal makes it matter that one other alone is left.
    private static let removalMatters = Duration.seconds(7 * 86_400)
}
