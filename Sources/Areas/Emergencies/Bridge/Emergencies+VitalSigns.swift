import Contract
import Store
import Tracking

/// What groups are told of somebody whose vital signs are watched.
extension Emergencies {
    /// Calls the groups that the person has chosen, even if an end of an earlier SOS waits to be done;
    /// nobody if the person is in no group.
    func callInNeed(_ person: Person) throws(StoreError) {
        _ = try turn.takeBackEnds(of: person)
        let effects: [Effect]
        do throws(Refusal) {
            effects = try person.tracker.callInNeed(
                in: areas.monitoring.alertedGroups(of: person).map(\.id), at: now, settings.rules)
        } catch {
            return
        }
        turn.noteCallForHelp()
        try turn.apply(effects, to: person)
    }

    /// Dispatch says that it sends help.
    func noteAssistance(to person: Person) throws(StoreError) {
        try turn.apply(person.tracker.noteAssistance(at: now), to: person)
    }

    /// Tells groups something once, beside what the core tells.
    ///
    /// - Parameter fix: where they are, if that is to be said.
    func tell(
        _ groups: [Group], _ kind: Alert.Kind, of person: Person, at fix: Fix? = nil
    ) throws(StoreError) {
        for group in groups {
            let alert = Alert(
                id: UUIDv7(at: now, random: (random.next(), random.next())), kind: kind,
                group: group.id, at: now, fix: fix, destination: nil, eta: nil)
            try raise(alert, of: person, repetition: 0)
        }
    }
}
