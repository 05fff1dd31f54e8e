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
        let alerted = entry.monitored.alerted(of: all.map(\.id))
        return all.filter { alerted.contains($0.id) }
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
