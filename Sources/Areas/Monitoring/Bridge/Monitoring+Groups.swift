import Contract
import Tracking

/// The groups that are alerted because of a person's vital signs.
extension Monitoring {
    /// Returns the groups to alert because of the person's vital signs. Once monitoring has ended,
    /// they are the groups that know of the person's SOS, or all if none does.
    func alertedGroups(of person: Person) -> [Group] {
        let all = person.memberships.map(\.group)
        guard let entry = state.people[person.id] else {
            let knowing = all.filter { person.isInSOS(in: $0) }
            return knowing.isEmpty ? all : knowing
        }
        // In a group without other members, no one could help.
        let helping = all.filter { $0.members.count > 1 }
        let alerted = entry.monitored.alerted(of: (helping.isEmpty ? all : helping).map(\.id))
        return all.filter { alerted.contains($0.id) }
    }

    /// Returns the groups that were called because of vital signs in the current emergency,
    /// regardless of later choices; without one, those that would be called.
    func calledGroups(for person: Person) -> [Group] {
        let called = person.tracker.groupsInNeed
        guard !called.isEmpty else { return alertedGroups(of: person) }
        return person.memberships.map(\.group).filter { called.contains($0.id) }
    }

    func unanswered(_ person: Person, at fix: Fix?) throws {
        try areas.emergencies.tell(calledGroups(for: person), .unanswered, of: person, at: fix)
    }

    /// Removes the group from those chosen, so that it is not chosen if the person rejoins it.
    func left(_ member: Person, _ group: Group, by remover: Person?) throws {
        guard var entry = state.people[member.id],
            let place = entry.monitored.groups?.firstIndex(of: group.id)
        else { return }
        entry.monitored.groups?.remove(at: place)
        set(entry, of: member)
    }
}
