extension Tracker {
    /// The next moment at which something happens by itself, unless an event comes first.
    ///
    /// - Parameter listeningSince: since when the bridge has been able to hear; earlier silence
    ///   does not count.
    public func nextDue(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        var due = presence.offlineAt(listeningSince: listeningSince, rules)
        func consider(_ time: Timestamp?) {
            guard let time else { return }
            due = due.map { min($0, time) } ?? time
        }
        consider(lateAt)
        consider(silentAt(listeningSince: listeningSince, rules))
        consider(emergency?.escalations.map(\.nextAt).min())
        consider(reminderAt(rules))
        consider(sharingEndsAt)
        consider(pausedUntil)
        return due
    }

    /// Does everything that is due by now. Calling it early or often does no harm.
    public mutating func advance(
        to now: Timestamp, listeningSince: Timestamp, _ rules: Rules
    ) -> [Effect] {
        var effects: [Effect] = []
        let offlineAt = presence.offlineAt(listeningSince: listeningSince, rules)
        // A person who went offline first does not become silent as well.
        if let due = silentAt(listeningSince: listeningSince, rules), due <= now,
            offlineAt.map({ due < $0 }) ?? true
        {
            undertaking.follow { $0.watch.toldSilent = true }
            noteStateOfWatched()
            raise(.silent, at: now, &effects)
        }
        if let offlineAt, offlineAt <= now {
            presence.goOffline()
            noteStateOfAll()
            effects.append(.presenceChanged(isOnline: false))
            if watch?.toldOffline == false {
                undertaking.follow { $0.watch.toldOffline = true }
                raise(.offline, at: now, &effects)
            }
        }
        if let due = lateAt, due <= now {
            undertaking.changeJourney { $0.isLate = true }
            noteStateOfWatched()
            raise(.late, at: now, &effects)
        }
        escalate(at: now, rules, &effects)
        if let pausedUntil, pausedUntil <= now { resume(at: now, &effects) }
        endSharing(at: now, &effects)
        remind(at: now, rules, &effects)
        return settle(effects)
    }

    /// The first millisecond after the ETA, until the groups have been told.
    private var lateAt: Timestamp? {
        guard let journey, !journey.isLate else { return nil }
        return journey.eta + .milliseconds(1)
    }

    private func silentAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard let watch, !watch.toldSilent, presence.isOnline else { return nil }
        return presence.silentAt(
            since: watch.fixAwaitedSince, listeningSince: listeningSince, rules)
    }

    private mutating func raise(
        _ kind: Alert.Kind, at now: Timestamp, _ effects: inout [Effect]
    ) {
        for alert in alert(kind, at: now) { effects.append(.alert(alert, repetition: 0)) }
    }

    /// Repeats alerts that are due; one that is due several times over, after a downtime, is
    /// repeated once.
    private mutating func escalate(at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]) {
        let repeated = undertaking.changeEmergency { emergency in
            var repeated: [Effect] = []
            for index in emergency.escalations.indices
            where emergency.escalations[index].nextAt <= now {
                emergency.escalations[index].repeats += 1
                emergency.escalations[index].nextAt = now + rules.repeatAfter
                repeated.append(
                    .alert(
                        emergency.escalations[index].alert,
                        repetition: emergency.escalations[index].repeats))
            }
            emergency.escalations.removeAll { $0.repeats >= rules.repeatAtMost }
            return repeated
        }
        effects += repeated ?? []
    }
}
