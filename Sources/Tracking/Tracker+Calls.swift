/// Calls for help that are repeated, each time with the newest position.
extension Tracker {
    /// Tells at once where the person is, where the call could not: the first position however old
    /// it is, and then the first fresh one. Members who have seen the call are told as well.
    ///
    /// - Parameter fix: the newest one.
    mutating func locateCalls(
        by fix: Fix, at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]
    ) {
        let isFresh = now <= fix.takenAt + rules.locatedWithin
        repeatCalls(at: now, rules, &effects) { call in
            !call.alert.isLocated(rules) && (isFresh || call.alert.fix == nil)
        }
    }

    /// Repeats calls that are due; one that is due several times over, after a downtime, is
    /// repeated once.
    mutating func escalate(at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]) {
        repeatCalls(at: now, rules, &effects) { !$0.isOver && $0.nextAt <= now }
    }

    private mutating func repeatCalls(
        at now: Timestamp, _ rules: Rules, _ effects: inout [Effect],
        where isDue: (Escalation) -> Bool
    ) {
        let latest = latest
        let repeated = undertaking.changeEmergency { emergency in
            emergency.escalations.indices.filter { isDue(emergency.escalations[$0]) }.map {
                emergency.escalations[$0].repeats(showing: latest, at: now, rules)
            }
        }
        effects += repeated ?? []
    }
}
