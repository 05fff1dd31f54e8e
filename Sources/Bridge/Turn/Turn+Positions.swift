import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Whether the groups are shown a plain position of the person in this turn; it is held back
    /// while the person is overdrawn. What is urgent never asks.
    private func shows(_ person: Person) -> Bool {
        if let known = showing[person.id] { return known }
        let shows = person.budget.take(.position, at: now)
        showing[person.id] = shows
        return shows
    }

    /// Has positions shown that were held back, of those who may now.
    func releasePositions() {
        for (id, person) in memory.heldBack.sorted(by: { $0.key < $1.key }) where shows(person) {
            memory.heldBack[id] = nil
            for membership in person.memberships where membership.isHeldBack {
                noteChange(of: person, in: membership.group.id, isUrgent: false)
            }
            if person.isTailHeldBack { note(.pathTail, person) }
        }
    }

    /// The last segment of each path that has grown.
    func showTails(of people: [Person]) throws(StoreError) {
        for person in people where person.pending.contains(.pathTail) {
            person.isTailHeldBack = !shows(person)
            if person.isTailHeldBack {
                memory.heldBack[person.id] = person
            } else {
                try charge(person.budget) { publishPathTail(of: person) }
            }
        }
    }

    /// Of each member the newest state alone.
    func showStates() throws(StoreError) {
        for (person, group) in membersChanged {
            guard let index = person.membership(in: group),
                let change = person.memberships[index].change
            else { continue }
            person.memberships[index].change = nil
            person.memberships[index].isHeldBack = change == .position && !shows(person)
            if person.memberships[index].isHeldBack {
                memory.heldBack[person.id] = person
            } else {
                try charge(person.budget) {
                    publishState(of: person, person.memberships[index].group, change)
                }
            }
        }
    }

    /// Nothing for a group that was left.
    private func publishState(
        of person: Person, _ group: Group, _ change: Person.Membership.Change
    ) {
        guard let session = person.tracker.session(in: group.id) else { return }
        let state = MemberState(
            user: person.name, name: person.displayName, tracker: person.tracker,
            session: session, rules: settings.rules)
        publish(
            Publication(
                topic: topics.string(.member(group.key, person.name)), payload: state.payload,
                qos: change == .state ? .atLeastOnce : .atMostOnce, retain: true))
        noteViews(of: person, in: group)
    }
}
