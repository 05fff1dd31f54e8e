/// Calls for help that are repeated, each time with the newest position.
extension Tracker {
    /// Alerts the groups of the current emergency again; does nothing if there is none.
    public mutating func callAgain(at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard let emergency else { return [] }
        undertaking.changeEmergency { $0.alertedAt = now }
        return call(groupsInSOS, emergency.cause.alert, at: now, rules)
    }

    /// The groups whose last call in the current emergency was because of vital signs.
    public var groupsInNeed: [GroupID] {
        (emergency?.escalations ?? []).filter { $0.alert.kind == .inNeed }.map(\.alert.group)
    }

    /// Calls these groups. Earlier calls to them are no longer repeated; those to other groups are.
    mutating func call(
        _ groups: [GroupID], _ kind: Alert.Kind, isClockWrong: Bool = false,
        receivedAt: Timestamp? = nil, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        let alerts = groups.map {
            alert(kind, to: $0, at: now, isClockWrong: isClockWrong, receivedAt: receivedAt)
        }
        undertaking.changeEmergency { emergency in
            emergency.escalations.removeAll { groups.contains($0.alert.group) }
            emergency.escalations += alerts.map {
                Escalation(alert: $0, nextAt: now + rules.repeatAfter)
            }
        }
        return alerts.map { .alert($0, repetition: 0) }
    }

    /// Immediately reports the person's position if the call could not: the first position of any
    /// age, and then the first fresh one. Members who have seen the call are also notified.
    ///
    /// - Parameter fix: the newest fix.
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

    /// Stops repeating a call that enough members of its group have seen, or that a member has
    /// answered.
    ///
    /// - Returns: whether it was still being repeated.
    public mutating func acknowledge(_ alert: UUIDv7) -> Bool {
        let isStopped = undertaking.changeEmergency { emergency in
            let repeated = emergency.escalations.firstIndex { $0.alert.id == alert && !$0.isOver }
            if let repeated { emergency.escalations[repeated].isOver = true }
            return repeated != nil
        }
        return isStopped == true
    }

    /// Whether a member of the group has responded that they help in the emergency.
    public func isHelped(in group: GroupID) -> Bool {
        emergency?.responses.contains { $0.group == group } ?? false
    }

    /// The call to the group, if it is no longer repeated.
    public func answeredCall(to group: GroupID) -> UUIDv7? {
        emergency?.escalations.first { $0.alert.group == group && $0.isOver }?.alert.id
    }

    /// Resumes a call when no one in the group helps any more: it is repeated for the remaining
    /// number of times, and immediately if a repetition was missed. So changing a response never
    /// delays the call.
    public mutating func callOn(_ group: GroupID, _ rules: Rules) {
        guard !isHelped(in: group) else { return }
        undertaking.changeEmergency { emergency in
            for index in emergency.escalations.indices
            where emergency.escalations[index].alert.group == group
                && emergency.escalations[index].repeats < rules.repeatAtMost
            {
                emergency.escalations[index].isOver = false
            }
        }
    }
}
