import Contract
import MQTT
import Store
import Tracking

extension Groups {
    func noteChange(of person: Person, in group: GroupID, isUrgent: Bool) {
        guard let index = person.membership(in: group) else { return }
        if person.memberships[index].change == nil { membersChanged.append((person, group)) }
        if isUrgent {
            person.memberships[index].change = .state
        } else if person.memberships[index].change == nil {
            person.memberships[index].change = .position
        }
    }

    /// Publishes the newest state of each changed member.
    func showStates() throws {
        for (person, group) in membersChanged {
            guard let index = person.membership(in: group),
                let change = person.memberships[index].change
            else { continue }
            person.memberships[index].change = nil
            person.memberships[index].isHeldBack = change == .position && !turn.shows(person)
            if person.memberships[index].isHeldBack {
                memory.heldBack[person.id] = person
            } else {
                try charge(person.budget) {
                    publishState(of: person, person.memberships[index].group, change)
                }
            }
        }
    }

    /// Publishes a state, unless the person has left the group.
    private func publishState(
        of person: Person, _ group: Group, _ change: Person.Membership.Change
    ) {
        guard let session = person.tracker.session(in: group.id) else { return }
        let state = MemberState(of: person, in: session, memory, settings.rules)
        publish(
            Publication(
                topic: topics.string(.member(group.key, person.name)), payload: state.payload,
                qos: change == .state ? .atLeastOnce : .atMostOnce, retain: true))
        areas.ownTracks.noteViews(of: person, in: group)
    }
}
