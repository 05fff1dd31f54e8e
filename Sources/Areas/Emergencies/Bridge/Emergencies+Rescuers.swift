import Contract
import Tracking

/// Protects the people who know of an SOS: only the person in it can remove members.
extension Emergencies {
    /// Refuses the removal of members from a group in which another member is in an SOS: neither
    /// that member nor their potential helpers can be removed.
    func checkEmergencies(in group: Group, but person: Person) throws {
        guard !group.members.contains(where: { $0 !== person && $0.isInSOS(in: group) }) else {
            throw Problem(
                .alreadyInSOS,
                "A member of the group is in an SOS: until it ends, only they can remove "
                    + "members.")
        }
    }

    /// Refuses to remove a person from the last group that knows of their SOS.
    func checkEmergency(of member: Person, leaving group: Group) throws {
        guard !member.tracker.isOnlyGroupAlerted(group.id) else {
            throw Problem(
                .alreadyInSOS, "No other group knows about the SOS: end it first (sos.stop).")
        }
    }

    /// Announces the SOS to a group that the person joins during it, if they joined by themselves,
    /// or were added by the operator or by a user who knows of the SOS already: no other user may
    /// learn the person's position that way. An SOS caused by vital signs is only announced to the
    /// groups chosen for it.
    ///
    /// - Parameter chosen: returns the groups chosen to be alerted because of vital signs.
    func alertNewGroup(
        _ group: Group, for person: Person, addedBy adder: Person?, chosen: () -> [Group]
    ) throws {
        guard let emergency = person.tracker.emergency,
            adder.map({ person.isHeard(by: $0) }) ?? true,
            emergency.cause == .person || chosen().contains(where: { $0 === group })
        else { return }
        try turn.apply(person.tracker.alertNewGroup(group.id, at: now, settings.rules), to: person)
    }

    /// Notifies the groups that knew of the SOS that it has ended because the person's account was
    /// deleted.
    ///
    /// - Parameter groups: the groups of which the person was a member.
    func tellOfErasure(in groups: [Group]) throws {
        for group in groups where !group.members.isEmpty {
            let alert = ErasureAlert(
                id: UUIDv7(at: now, random: (random.next(), random.next())), group: group.key)
            try send(topics.string(.alerts(group.key)), alert.payload)
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
