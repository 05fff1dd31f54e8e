extension Tracker {
    /// - Throws: ``Refusal/alreadyOnAJourney``, ``Refusal/alreadyInSOS``, ``Refusal/notAMember``,
    ///   ``Refusal/etaPassed``; nothing has changed then.
    public mutating func startJourney(
        to destination: Destination, eta: Timestamp, with groups: [GroupID], at now: Timestamp
    ) throws(Refusal) -> [Effect] {
        guard emergency == nil else { throw .alreadyInSOS }
        guard journey == nil else { throw .alreadyOnAJourney }
        let indices = try indices(of: groups).sorted()
        guard !indices.isEmpty else { throw .notAMember }
        guard eta > now else { throw .etaPassed }
        for index in indices {
            if case .refused(let refusal) = sessions[index].state.transition(on: .startJourney) {
                throw refusal
            }
        }
        journey = Journey(to: destination, eta: eta, startedAt: now)
        watch = Watch(fixAwaitedSince: now)
        for index in indices { enter(.routing, index, at: now) }
        var effects = [
            beginPath(.journey, with: indices.map { sessions[$0].group }, at: now)
        ]
        for alert in alert(.journeyStarted, at: now) {
            effects.append(.alert(alert, repetition: 0))
        }
        return settle(effects)
    }

    /// A new time of arrival; whoever was late is no longer.
    ///
    /// - Throws: ``Refusal/notOnAJourney``, ``Refusal/etaPassed``; nothing has changed then.
    public mutating func extendJourney(eta: Timestamp, at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        guard journey != nil else { throw .notOnAJourney }
        guard eta > now else { throw .etaPassed }
        journey?.eta = eta
        journey?.isLate = false
        noteStateOfWatched()
        return settle([])
    }

    /// - Throws: ``Refusal/notOnAJourney``.
    public mutating func stopJourney(at now: Timestamp) throws(Refusal) -> [Effect] {
        guard journey != nil else { throw .notOnAJourney }
        var effects: [Effect] = []
        endJourney(.journeyStopped, at: now, &effects)
        return settle(effects)
    }

    /// Tells the groups how the journey ended; its path is discarded.
    mutating func endJourney(_ kind: Alert.Kind, at now: Timestamp, _ effects: inout [Effect]) {
        for alert in alert(kind, at: now) { effects.append(.alert(alert, repetition: 0)) }
        for index in sessions.indices {
            if case .becomes = sessions[index].state.transition(on: .endJourney) {
                enter(.active, index, at: now)
            }
        }
        if let path { effects.append(.pathEnded(number: path.number, withdrawn: true)) }
        path = nil
        journey = nil
        watch = nil
    }

    mutating func beginPath(_ mode: Path.Mode, with groups: [GroupID], at now: Timestamp)
        -> Effect
    {
        pathsBegun += 1
        let path = Path(number: pathsBegun, mode: mode, startedAt: now, groups: groups)
        self.path = path
        return .pathBegan(path)
    }
}
