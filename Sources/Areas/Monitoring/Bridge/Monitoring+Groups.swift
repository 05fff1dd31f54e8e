import Contract
import Tracking

/// Which groups learn what comes of a person's vital signs.
extension Monitoring {
    /// The groups that learn what comes of the person's vital signs. Of a person who is no longer
    /// watched, those that know of their SOS, or all if none does.
    func alertedGroups(of person: Person) -> [Group] {
        let all = person.memberships.map(\.group)
        guard let entry = state.people[person.id] else {
            let knowing = all.filter { person.isInSOS(in: $0) }
            return knowing.isEmpty ? all : knowing
        }
        // A group in which the person is alone helps nobody.
        let helping = all.filter { $0.members.count > 1 }
        let alerted = entry.monitored.alerted(of: (helping.isEmpty ? all : helping).map(\.id))
        return all.filter { alerted.contains($0.id) }
    }

    /// Those that were called because of the vital signs in the emergency that goes on, whatever was
    /// chosen since; else those that would be.
    func calledGroups(for person: Person) -> [Group] {
        let called = person.tracker.groupsInNeed
        guard !called.isEmpty else { return alertedGroups(of: person) }
        return person.memberships.map(\.group).filter { called.contains($0.id) }
    }

    /// A group that the person comes back to is not chosen.
    func left(_ member: Person, _ group: Group) throws(Refused) {
        guard var entry = state.people[member.id],
            let place = entry.monitored.groups?.firstIndex(of: group.id)
        else { return }
        entry.monitored.groups?.remove(at: place)
        set(entry, of: member)
    }
}
