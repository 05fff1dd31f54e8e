import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Returns whether the groups are shown ordinary positions of the person in this turn; these
    /// are held back while the person's budget is overdrawn. Urgent changes are shown without
    /// asking.
    private func shows(_ person: Person) -> Bool {
        if let known = showing[person.id] { return known }
        let shows = person.budget.take(.position, at: now)
        showing[person.id] = shows
        return shows
    }

    /// Shows positions that were held back, of people whose budgets allow it now.
    func releasePositions() {
        for (id, person) in memory.heldBack.sorted(by: { $0.key < $1.key }) where shows(person) {
            memory.heldBack[id] = nil
            for membership in person.memberships where membership.isHeldBack {
                noteChange(of: person, in: membership.group.id, isUrgent: false)
            }
            if person.isTailHeldBack { note(.pathTail, person) }
        }
    }

    /// Publishes the last segment of each path that has grown.
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

    /// Publishes the newest state of each member that changed.
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

    /// Publishes nothing if the person has left the group.
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
