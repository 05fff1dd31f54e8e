import Contract
import Store
import Tracking

/// Protects those who know of an SOS: only the person in it can remove anybody.
extension Emergencies {
    /// Refuses to remove anybody from a group in which somebody else is in an SOS: neither that
    /// member nor those who may help them.
    func checkEmergencies(in group: Group, but person: Person) throws(Refused) {
        guard !group.members.contains(where: { $0 !== person && $0.isInSOS(in: group) }) else {
            throw .problem(
                Problem(
                    .alreadyInSOS,
                    "Somebody in the group is in an SOS: until it ends, only they can remove members."
                ))
        }
    }

    /// Refuses to take somebody out of the last group that knows of their SOS.
    func checkEmergency(of member: Person, leaving group: Group) throws(Refused) {
        guard !member.tracker.isOnlyGroupAlerted(group.id) else {
            throw .problem(
                Problem(
                    .alreadyInSOS,
                    "No other group knows about the SOS: end it first (sos.stop)."))
        }
    }

    /// Announces the SOS to a group that the person joins during it, if they joined by themselves,
    /// or were added by the operator or by somebody who knows of the SOS anyway: nobody else learns
    /// that way where the person is. What vital signs call for, only groups learn that are called.
    func alertNewGroup(_ group: Group, for person: Person, addedBy adder: Person?) throws(Refused) {
        guard let emergency = person.tracker.emergency,
            adder.map({ person.isHeard(by: $0) }) ?? true,
            emergency.cause == .person
                || areas.monitoring.alertedGroups(of: person).contains(where: { $0 === group })
        else { return }
        try done(person.tracker.alertNewGroup(group.id, at: now, settings.rules), for: person)
    }

    /// Tells the groups that knew of the SOS that it has ended because the person's account was
    /// deleted.
    ///
    /// - Parameter groups: the groups of which the person was a member.
    func tellOfErasure(in groups: [Group]) throws(Refused) {
        for group in groups where !group.members.isEmpty {
            let alert = ErasureAlert(
                id: UUIDv7(at: now, random: (random.next(), random.next())), group: group.key)
            try stored { _ throws(StoreError) in
                try send(topics.string(.alerts(group.key)), alert.payload)
            }
        }
    }
}

extension Person {
    func isInSOS(in group: Group) -> Bool { tracker.session(in: group.id)?.state == .sos }

    /// Returns whether the other knows of this person's SOS, or is this person.
    fileprivate func isHeard(by other: Person) -> Bool {
        self === other
            || memberships.contains {
                isInSOS(in: $0.group) && other.membership(in: $0.group.id) != nil
            }
    }
}
