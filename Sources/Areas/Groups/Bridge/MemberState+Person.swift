import Contract
import Tracking

extension MemberState {
    /// Creates the person's state as the session's group sees it.
    init(of person: Person, in session: Session, _ memory: Memory, _ rules: Rules) {
        let responses = person.tracker.emergency?.responses.filter { $0.group == session.group }
        self.init(
            user: person.name, name: person.displayName, tracker: person.tracker,
            session: session, rules: rules, profile: person.profile,
            responses: session.state == .sos ? memory.named(responses ?? []) : [])
    }
}
