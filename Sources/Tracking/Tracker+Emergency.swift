extension Tracker {
    /// Alerts all groups, shares with all of them and records the path; a journey ends, its path
    /// goes on.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, or ``Refusal/notAMember`` for somebody without groups;
    ///   nothing has changed then.
    public mutating func triggerSOS(at now: Timestamp) throws(Refusal) -> [Effect] {
        guard emergency == nil else { throw .alreadyInSOS }
        guard !sessions.isEmpty else { throw .notAMember }
        var effects: [Effect] = []
        journey = nil
        emergency = Emergency(startedAt: now)
        watch = Watch(
            fixAwaitedSince: now, toldOffline: watch?.toldOffline ?? false,
            toldSilent: watch?.toldSilent ?? false)
        for index in sessions.indices { enter(.sos, index, at: now) }
        let groups = sessions.map(\.group)
        if var path {
            path.mode = .sos
            path.groups = groups
            self.path = path
            effects.append(.pathChanged(number: path.number, from: nil))
        } else {
            effects.append(beginPath(.sos, with: groups, at: now))
        }
        return settle(effects)
    }

    /// Tells the groups of the emergency that just began. Apart from ``triggerSOS(at:)`` so that
    /// a position sent along is in the alert. Called again, it alerts them anew.
    public mutating func alertOfSOS(at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard emergency != nil else { return [] }
        let alerts = alert(.sos, at: now)
        if emergency?.startedAt != now { emergency?.alertedAt = now }
        emergency?.escalations = alerts.map {
            Escalation(alert: $0, nextAt: now + rules.repeatAfter)
        }
        return alerts.map { .alert($0, repetition: 0) }
    }

    /// A group that the user joined during the emergency becomes one of those that are called, and
    /// sees the path from its beginning.
    public mutating func callAsWell(_ group: GroupID, at now: Timestamp, _ rules: Rules)
        -> [Effect]
    {
        guard emergency != nil, let index = index(of: group), sessions[index].state != .sos
        else { return [] }
        enter(.sos, index, at: now)
        var effects: [Effect] = []
        if var path {
            path.groups = sessions.filter { $0.state == .sos }.map(\.group)
            self.path = path
            effects.append(.pathChanged(number: path.number, from: nil))
        }
        let alert = alert(.sos, to: group, at: now)
        emergency?.escalations.append(Escalation(alert: alert, nextAt: now + rules.repeatAfter))
        return settle(effects + [.alert(alert, repetition: 0)])
    }

    /// Whether the group is the only one that knows of the emergency.
    public func isLastToKnow(_ group: GroupID) -> Bool {
        session(in: group)?.state == .sos
            && !sessions.contains { $0.group != group && $0.state == .sos }
    }

    /// - Throws: ``Refusal/notInSOS``.
    public mutating func stopSOS(at now: Timestamp) throws(Refusal) -> [Effect] {
        guard emergency != nil else { throw .notInSOS }
        var effects: [Effect] = alert(.sosStopped, at: now).map { .alert($0, repetition: 0) }
        for index in sessions.indices {
            if case .becomes = sessions[index].state.transition(on: .stopSOS) {
                enter(.active, index, at: now)
            }
        }
        if let path { effects.append(.pathEnded(number: path.number, withdrawn: false)) }
        path = nil
        emergency = nil
        watch = nil
        return settle(effects)
    }

    /// Somebody in the group has seen the alert: it is not repeated any more there.
    ///
    /// - Returns: whether it was still being repeated.
    public mutating func acknowledge(_ alert: UUIDv7) -> Bool {
        guard let place = emergency?.escalations.firstIndex(where: { $0.alert.id == alert }) else {
            return false
        }
        emergency?.escalations.remove(at: place)
        return true
    }
}
