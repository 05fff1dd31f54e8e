extension Tracker {
    /// The time of the next timed action, unless an event happens first.
    ///
    /// - Parameter listeningSince: since when the bridge has been listening; earlier silence does
    ///   not count.
    public func nextDue(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        var due = presence.offlineAt(listeningSince: listeningSince, rules)
        func consider(_ time: Timestamp?) {
            guard let time else { return }
            due = due.map { min($0, time) } ?? time
        }
        consider(presence.leavesAt(listeningSince: listeningSince, rules))
        consider(journey?.lateAt)
        consider(arrivesAt(listeningSince: listeningSince, rules))
        consider(silentAt(listeningSince: listeningSince, rules))
        consider(emergency?.escalations.compactMap { $0.isOver ? nil : $0.nextAt }.min())
        consider(reminderAt(rules))
        consider(sharingEndsAt)
        consider(pausedUntil)
        return due
    }

    /// Whether a timer may report the person late. False in an SOS, whose repetitions never wait.
    public var isJudgedByAbsence: Bool { emergency == nil && journey?.lateAt != nil }

    /// Does everything that is due by now. Calling it early or often is harmless.
    public mutating func advance(
        to now: Timestamp, listeningSince: Timestamp, _ rules: Rules
    ) -> [Effect] {
        var effects: [Effect] = []
        let arrivesAt = arrivesAt(listeningSince: listeningSince, rules)
        let offlineAt = presence.offlineAt(listeningSince: listeningSince, rules)
        // A person who went offline first does not also become silent.
        if let due = silentAt(listeningSince: listeningSince, rules), due <= now,
            offlineAt.map({ due < $0 }) ?? true, arrivesAt.map({ due < $0 }) ?? true
        {
            undertaking.follow { $0.watch.toldSilent = true }
            noteStateOfWatched()
            raise(.silent, at: now, &effects)
        }
        if let due = presence.leavesAt(listeningSince: listeningSince, rules), due <= now {
            presence.leave()
            noteStateOfAll()
        }
        if let offlineAt, offlineAt <= now {
            presence.goOffline()
            noteStateOfAll()
            effects.append(.presenceChanged(isOnline: false))
            if watch?.toldOffline == false, !isThere, arrivesAt.map({ offlineAt < $0 }) ?? true {
                undertaking.follow { $0.watch.toldOffline = true }
                raise(.offline, at: now, &effects)
            }
        }
        // Everything known by now is evaluated before the groups are notified that the person is
        // late.
        if let due = self.arrivesAt(listeningSince: listeningSince, rules), due <= now {
            endJourney(.journeyArrived, at: now, &effects)
        }
        if let due = journey?.lateAt, due <= now {
            changeJourney { $0.isLate = true }
            noteStateOfWatched()
            raise(.late, at: now, &effects)
        }
        escalate(at: now, rules, &effects)
        if let pausedUntil, pausedUntil <= now { resume(at: now, &effects) }
        endSharing(at: now, &effects)
        remind(at: now, rules, &effects)
        return settle(effects)
    }

    private func silentAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard let watch, !watch.toldSilent, presence.isOnline, !isThere else { return nil }
        return presence.silentAt(
            of: carriedDevice, since: watch.fixAwaitedSince, listeningSince: listeningSince, rules)
    }

    private mutating func raise(
        _ kind: Alert.Kind, at now: Timestamp, _ effects: inout [Effect]
    ) {
        for alert in alert(kind, at: now) { effects.append(.alert(alert, repetition: 0)) }
    }
}
