extension Tracker {
    /// Alerts all groups, shares with all of them and records the path; a journey waits, and its
    /// path goes on.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, or ``Refusal/notAMember`` for somebody without groups;
    ///   nothing has changed then.
    public mutating func triggerSOS(
        isClockWrong: Bool = false, at now: Timestamp, _ rules: Rules
    ) throws(Refusal) -> [Effect] {
        try checkCall()
        return begin(with: nil, .person, isClockWrong: isClockWrong, at: now, rules)
    }

    /// The same with a new position: it is received like any other, included in the alerts, and
    /// added to the path.
    ///
    /// - Parameter isClockWrong: whether the time of the position is when it arrived.
    /// - Throws: as without a position, which has not been received then.
    public mutating func triggerSOS(
        with fix: Fix, from device: DeviceID, isClockWrong: Bool = false, at now: Timestamp,
        _ rules: Rules
    ) throws(Refusal) -> [Effect] {
        try checkCall()
        return receive(fix, from: device, at: now, rules)
            + begin(with: fix, .person, isClockWrong: isClockWrong, at: now, rules)
    }

    /// Calls for help because of the person's vital signs: alerts all groups, also those of an
    /// emergency that goes on.
    ///
    /// - Throws: ``Refusal/notAMember`` for somebody without groups; nothing has changed then.
    public mutating func callInNeed(at now: Timestamp, _ rules: Rules) throws(Refusal)
        -> [Effect]
    {
        guard emergency != nil else {
            try checkCall()
            return begin(with: nil, .vitalSigns, at: now, rules)
        }
        undertaking.changeEmergency { $0.assistedAt = nil }
        noteStateOfWatched()
        let effects = alertOfSOS(.inNeed, at: now, rules)
        undertaking.changeEmergency { $0.alertedAt = now }
        return settle(effects)
    }

    /// Somebody says that they help: the groups are told. Does nothing without an emergency.
    public mutating func noteAssistance(at now: Timestamp) -> [Effect] {
        let isNew = undertaking.changeEmergency { emergency in
            defer { emergency.assistedAt = emergency.assistedAt ?? now }
            return emergency.assistedAt == nil
        }
        guard isNew == true else { return [] }
        noteStateOfWatched()
        return settle(alert(.assisted, at: now).map { .alert($0, repetition: 0) })
    }

    private func checkCall() throws(Refusal) {
        guard emergency == nil else { throw .alreadyInSOS }
        guard !sessions.isEmpty else { throw .notAMember }
    }

    /// - Parameter fix: a fix that has been received.
    private mutating func begin(
        with fix: Fix?, _ cause: Emergency.Cause, isClockWrong: Bool = false, at now: Timestamp,
        _ rules: Rules
    ) -> [Effect] {
        let groups = sessions.map(\.group)
        let followers = sessions.filter { $0.state == .routing }.map(\.group)
        var before: [Effect] = []
        resume(at: now, &before)
        let waiting = journey.map { WaitingJourney($0, groups: followers) }
        let emergency = Emergency(startedAt: now, cause: cause, waiting: waiting)
        let begun: Effect
        if var following = undertaking.following {
            following.path.mode = .sos
            following.path.groups = groups
            following.watch.fixAwaitedSince = now
            begun = .pathChanged(number: following.path.number, from: nil)
            undertaking = .emergency(emergency, following)
        } else {
            let path = newPath(.sos, with: groups, at: now)
            begun = .pathBegan(path)
            undertaking = .emergency(
                emergency, Following(path: path, watch: Watch(fixAwaitedSince: now)))
        }
        perform(.triggerSOS, on: sessions.indices, at: now)
        var effects = settle(before + [begun])
        // The path of a journey has it already.
        if let fix, fix == latest, path?.count == 0 {
            extendPath(by: fix, isLive: true, rules, &effects)
        }
        return effects + alertOfSOS(cause.alert, isClockWrong: isClockWrong, at: now, rules)
    }

    /// Alerts the groups anew of the current emergency; does nothing if there is none.
    public mutating func callAgain(at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard emergency != nil else { return [] }
        let effects = alertOfSOS(emergency?.cause.alert ?? .sos, at: now, rules)
        undertaking.changeEmergency { $0.alertedAt = now }
        return effects
    }

    private mutating func alertOfSOS(
        _ kind: Alert.Kind, isClockWrong: Bool = false, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        let groups = sessions.filter(\.state.isWatched).map(\.group)
        let alerts = groups.map { alert(kind, to: $0, at: now, isClockWrong: isClockWrong) }
        undertaking.changeEmergency { emergency in
            emergency.escalations = alerts.map {
                Escalation(alert: $0, nextAt: now + rules.repeatAfter)
            }
        }
        return alerts.map { .alert($0, repetition: 0) }
    }

    /// Includes a group that the user joined during the emergency among those that are called; it
    /// sees the path from its beginning.
    public mutating func alertNewGroup(_ group: GroupID, at now: Timestamp, _ rules: Rules)
        -> [Effect]
    {
        guard emergency != nil, let index = index(of: group), sessions[index].state != .sos
        else { return [] }
        perform(.triggerSOS, on: CollectionOfOne(index), at: now)
        let groups = sessions.filter { $0.state == .sos }.map(\.group)
        undertaking.follow { $0.path.groups = groups }
        var effects: [Effect] = []
        if let path { effects.append(.pathChanged(number: path.number, from: nil)) }
        let alert = alert(emergency?.cause.alert ?? .sos, to: group, at: now)
        undertaking.changeEmergency {
            $0.escalations.append(Escalation(alert: alert, nextAt: now + rules.repeatAfter))
        }
        return settle(effects + [.alert(alert, repetition: 0)])
    }

    /// Whether the group is the only one that knows of the emergency.
    public func isOnlyGroupAlerted(_ group: GroupID) -> Bool {
        session(in: group)?.state == .sos
            && !sessions.contains { $0.group != group && $0.state == .sos }
    }

    /// Ends the SOS. A journey that waited goes on, or has ended if the person is there already.
    ///
    /// - Throws: ``Refusal/notInSOS``.
    public mutating func stopSOS(at now: Timestamp) throws(Refusal) -> [Effect] {
        guard let emergency else { throw .notInSOS }
        var arrived: [Effect] = []
        if emergency.waiting?.isReached == true {
            dropWaitingJourney(.journeyArrived, at: now, &arrived)
        }
        var effects: [Effect] = alert(.sosStopped, at: now).map { .alert($0, repetition: 0) }
        effects += arrived
        perform(.stopSOS, on: sessions.indices, at: now)
        if let path { effects.append(.pathEnded(number: path.number, withdrawn: false)) }
        let waiting = self.emergency?.waiting
        undertaking = .nothing
        sosEndedAt = now
        if let waiting { goOn(waiting, at: now, &effects) }
        return settle(effects)
    }

    /// Somebody in the group has seen the alert: it is no longer repeated there.
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
}
