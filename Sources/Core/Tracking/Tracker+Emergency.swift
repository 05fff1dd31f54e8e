extension Tracker {
    /// Alerts all groups, shares with all of them and records the path; a journey waits, and its
    /// path continues. An emergency because of the person's vital signs becomes their own call, so
    /// that all groups are alerted.
    ///
    /// - Parameter received: when the call was received, if that is known: the emergency dates from
    ///   then, and the alerts' ids depend on it, the user and the groups alone.
    /// - Throws: ``Refusal/alreadyInSOS`` if they have called already, or ``Refusal/notAMember``
    ///   for a person without groups; nothing has changed then.
    public mutating func triggerSOS(
        isClockWrong: Bool = false, receivedAt received: Timestamp? = nil, at now: Timestamp,
        _ rules: Rules
    ) throws(Refusal) -> [Effect] {
        try checkCall()
        return begin(
            .person, in: sessions.map(\.group), isClockWrong: isClockWrong, receivedAt: received,
            at: now, rules)
    }

    /// The same with a new position: it is received like any other, included in the alerts, and
    /// added to the path.
    ///
    /// - Parameter isClockWrong: whether the position's time is its time of arrival.
    /// - Throws: as without a position, which has not been received then.
    public mutating func triggerSOS(
        with fix: Fix, from device: DeviceID, isClockWrong: Bool = false,
        receivedAt received: Timestamp? = nil, at now: Timestamp, _ rules: Rules
    ) throws(Refusal) -> [Effect] {
        try checkCall()
        return receive(fix, from: device, at: now, rules)
            + begin(
                .person, in: sessions.map(\.group), with: fix, isClockWrong: isClockWrong,
                receivedAt: received, at: now, rules)
    }

    /// Calls for help on a device, which becomes the carried one.
    ///
    /// - Parameters:
    ///   - fix: a new position, if there is one.
    ///   - received: when the call was received, if that is known.
    ///   - effects: those to carry out, also if this throws.
    /// - Throws: as without a position. The device is the carried one nevertheless.
    public mutating func callForHelp(
        on device: DeviceID, with fix: Fix?, isClockWrong: Bool, receivedAt time: Timestamp?,
        at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]
    ) throws(Refusal) {
        // The last SOS was over before this call was handled, though it may have arrived earlier.
        let received = time.flatMap { time in
            sosEndedAt.map { time > $0 } ?? true ? time : nil
        }
        effects += carry(device, isCall: true, at: now, rules)
        if let fix {
            effects += try triggerSOS(
                with: fix, from: device, isClockWrong: isClockWrong, receivedAt: received, at: now,
                rules)
        } else {
            effects += try triggerSOS(
                isClockWrong: isClockWrong, receivedAt: received, at: now, rules)
        }
    }

    /// Calls for help because of the person's vital signs: alerts the chosen groups, including
    /// those of an ongoing emergency, or all groups if the person is no longer in any of the chosen
    /// ones. The others are not notified.
    ///
    /// - Throws: ``Refusal/notAMember`` for a person without groups; nothing has changed then.
    public mutating func callInNeed(in chosen: [GroupID], at now: Timestamp, _ rules: Rules)
        throws(Refusal) -> [Effect]
    {
        let all = sessions.map(\.group)
        guard !all.isEmpty else { throw .notAMember }
        let groups = all.filter { chosen.contains($0) }
        return begin(.vitalSigns, in: groups.isEmpty ? all : groups, at: now, rules)
    }

    /// Records that help was confirmed, and notifies the groups. Does nothing without an emergency.
    public mutating func noteAssistance(at now: Timestamp) -> [Effect] {
        let isNew = undertaking.changeEmergency { emergency in
            defer { emergency.assistedAt = emergency.assistedAt ?? now }
            return emergency.assistedAt == nil
        }
        guard isNew == true else { return [] }
        noteStateOfEmergency()
        return settle(alert(.assisted, at: now).map { .alert($0, repetition: 0) })
    }

    private func checkCall() throws(Refusal) {
        guard !hasCalled else { throw .alreadyInSOS }
        guard !sessions.isEmpty else { throw .notAMember }
    }

    /// The groups that know of the emergency, in ascending order.
    var groupsInSOS: [GroupID] { sessions.filter { $0.state == .sos }.map(\.group) }

    /// Calls these groups. This begins an emergency, unless one is ongoing; then groups that do not
    /// know of it yet are added.
    ///
    /// - Parameter fix: a fix that has been received.
    private mutating func begin(
        _ cause: Emergency.Cause, in groups: [GroupID], with fix: Fix? = nil,
        isClockWrong: Bool = false, receivedAt received: Timestamp? = nil, at now: Timestamp,
        _ rules: Rules
    ) -> [Effect] {
        let start = min(received ?? now, now)
        var effects: [Effect] = []
        // Otherwise the pause continues for the others.
        if groups.count == sessions.count { resume(at: now, &effects) }
        let (isNew, isFirstPath) = (emergency == nil, path == nil)
        enterEmergency(cause, since: start, at: now)
        if addToEmergency(groups, at: now), let path {
            effects.append(
                isFirstPath ? .pathBegan(path) : .pathChanged(number: path.number, from: nil))
        }
        // Groups that still follow the journey are notified of silence as before.
        if isNew, !isFollowed { undertaking.follow { $0.watch.fixAwaitedSince = now } }
        if !isNew { noteStateOfEmergency() }
        effects = settle(effects)
        // A journey's path already has it.
        if let fix, fix == latest, path?.count == 0 {
            extendPath(by: fix, isLive: true, rules, &effects)
        }
        return effects
            + call(
                groups, cause.alert, isClockWrong: isClockWrong, receivedAt: received, at: start,
                rules)
    }

    private mutating func enterEmergency(
        _ cause: Emergency.Cause, since start: Timestamp, at now: Timestamp
    ) {
        switch undertaking {
        case .nothing:
            let path = newPath(.sos, with: [], at: now)
            undertaking = .emergency(
                Emergency(startedAt: start, cause: cause),
                Following(path: path, watch: Watch(fixAwaitedSince: now)))
        case .journey(let journey, var following):
            following.path.mode = .sos
            let waiting = WaitingJourney(journey, groups: [])
            undertaking = .emergency(
                Emergency(startedAt: start, cause: cause, waiting: waiting), following)
        case .emergency:
            undertaking.changeEmergency { emergency in
                emergency.alertedAt = now
                switch cause {
                case .person: emergency.cause = .person
                case .vitalSigns: emergency.assistedAt = nil
                }
            }
        }
    }

    /// Adds groups, which see the path from its beginning. A journey that they follow waits.
    ///
    /// - Returns: whether one of them did not know of the emergency.
    private mutating func addToEmergency(_ groups: [GroupID], at now: Timestamp) -> Bool {
        let added = groups.compactMap { index(of: $0) }.filter { sessions[$0].state != .sos }
        let followers = added.filter { sessions[$0].state == .routing }.map { sessions[$0].group }
        undertaking.changeWaiting { $0.groups = ($0.groups + followers).sorted() }
        for index in added { sessions[index].isPaused = false }
        perform(.triggerSOS, on: added, at: now)
        let seers = sessions.filter { session in
            session.state == .sos
                || session.state == .routing && path?.groups.contains(session.group) == true
        }
        undertaking.follow { $0.path.groups = seers.map(\.group) }
        return !added.isEmpty
    }

    private mutating func noteStateOfEmergency() {
        for index in sessions.indices where sessions[index].state == .sos {
            sessions[index].note(.state)
        }
    }

    /// Calls a group that the user joined during the emergency.
    public mutating func alertNewGroup(_ group: GroupID, at now: Timestamp, _ rules: Rules)
        -> [Effect]
    {
        guard let emergency, addToEmergency([group], at: now), let path else { return [] }
        return settle([.pathChanged(number: path.number, from: nil)])
            + call([group], emergency.cause.alert, at: now, rules)
    }

    /// Whether the group is the only one that knows of the emergency.
    public func isOnlyGroupAlerted(_ group: GroupID) -> Bool { groupsInSOS == [group] }

    /// Ends the SOS. A waiting journey continues, or has ended if the person is already there; a
    /// pause also continues.
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
        endEmergency(at: now, &effects)
        if pausedUntil != nil { pauseSharing(at: now) }
        sosEndedAt = now
        return settle(effects)
    }
}
