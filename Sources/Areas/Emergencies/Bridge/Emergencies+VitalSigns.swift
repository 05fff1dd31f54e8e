import Contract
import Tracking

/// Alerts to groups about a person whose vital signs are monitored.
extension Emergencies {
    /// Calls the groups, even if an end of an earlier SOS is pending.
    func callInNeed(_ person: Person, in groups: [Group]) throws {
        _ = try turn.takeBackEnds(of: person)
        let effects: [Effect]
        do throws(Refusal) {
            effects = try person.tracker.callInNeed(
                in: groups.map(\.id), at: now, settings.rules)
        } catch {
            return
        }
        turn.noteCallForHelp()
        try turn.apply(effects, to: person)
    }

    func assisted(_ person: Person) throws {
        try turn.apply(person.tracker.noteAssistance(at: now), to: person)
    }

    /// Sends groups a single alert, independently of the core.
    ///
    /// - Parameter fix: the person's position, if it is to be included.
    func tell(_ groups: [Group], _ kind: Alert.Kind, of person: Person, at fix: Fix? = nil) throws {
        for group in groups {
            let alert = Alert(
                id: UUIDv7(at: now, random: (random.next(), random.next())), kind: kind,
                group: group.id, at: now, fix: fix, destination: nil, eta: nil)
            try raise(alert, of: person, repetition: 0)
        }
    }
}
