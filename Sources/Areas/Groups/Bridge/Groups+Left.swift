import Contract
import Store
import Tracking

/// Warnings to members who are left alone, or with a single other person whom they may have to
/// fear.
extension Groups {
    /// Records the removal of a member: a member who is left later may be left with the remover or
    /// an accomplice. The removed member may share other groups with them.
    func noteRemoval(of member: Person, from group: Group, by remover: Person) throws {
        let shared = look(through: member.memberships).map(\.group)
            .filter { $0 !== group && remover.membership(in: $0.id) != nil }
        for group in [group] + shared {
            group.removedAt = now
            try transaction.noteRemoval(from: group.id, at: now)
        }
    }

    /// Warns a person who has lost a fellow member, if no other is left in any group, or only one
    /// is and members were removed recently.
    func tellWhoIsLeft(_ person: Person, by remover: Person?) throws {
        let others = person.others(atMost: 2)
        let hadRemovals = person.memberships.contains { membership in
            membership.group.removedAt.map { now < $0 + Groups.removalMatters } ?? false
        }
        guard others.isEmpty || others.count == 1 && hadRemovals else { return }
        try areas.notices.add(
            .nobodyLeft(but: !others.isEmpty), for: person, about: others.first, by: remover)
    }

    /// The time for which a removal makes it relevant that only one other member is left.
    private static let removalMatters = Duration.seconds(7 * 86_400)
}
