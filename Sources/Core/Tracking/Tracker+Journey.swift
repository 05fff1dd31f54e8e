extension Tracker {
    /// - Parameter destination: nil for a check-in until the ETA.
    /// - Throws: ``Refusal/alreadyOnAJourney``, ``Refusal/alreadyInSOS``, ``Refusal/notAMember``,
    ///   ``Refusal/etaPassed``; nothing has changed then.
    public mutating func startJourney(
        to destination: Destination?, eta: Timestamp, with groups: [GroupID], at now: Timestamp
    ) throws(Refusal) -> [Effect] {
        if let refusal = undertaking.refusal { throw refusal }
        let indices = try indices(of: groups).sorted()
        guard !indices.isEmpty else { throw .notAMember }
        guard eta > now else { throw .etaPassed }
        try check(.startJourney, on: indices)
        var effects: [Effect] = []
        resume(at: now, &effects)
        // Groups with an approximate position do not see the path.
        let seers = indices.filter { sessions[$0].precision == .exact }
        let path = newPath(.journey, with: seers.map { sessions[$0].group }, at: now)
        undertaking = .journey(
            Journey(to: destination, eta: eta, startedAt: now, number: path.number),
            Following(path: path, watch: Watch(fixAwaitedSince: now)))
        perform(.startJourney, on: indices, at: now)
        effects.append(.pathBegan(path))
        for alert in alert(.journeyStarted, at: now) {
            effects.append(.alert(alert, repetition: 0))
        }
        return settle(effects)
    }

    /// Sets a new time of arrival; a person who was late no longer is.
    ///
    /// - Throws: ``Refusal/notOnAJourney``, ``Refusal/etaPassed``; nothing has changed then.
    public mutating func extendJourney(eta: Timestamp, at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        guard plannedJourney != nil else { throw .notOnAJourney }
        guard eta > now else { throw .etaPassed }
        func extend(_ journey: inout Journey) { (journey.eta, journey.isLate) = (eta, false) }
        undertaking.changeJourney { extend(&$0) }
        undertaking.changeWaiting { extend(&$0.journey) }
        noteStateOfWatched()
        return settle([])
    }

    /// - Throws: ``Refusal/notOnAJourney``.
    public mutating func stopJourney(at now: Timestamp) throws(Refusal) -> [Effect] {
        guard plannedJourney != nil else { throw .notOnAJourney }
        var effects: [Effect] = []
        if journey != nil { endJourney(.journeyStopped, at: now, &effects) }
        dropWaitingJourney(.journeyStopped, at: now, &effects)
        return settle(effects)
    }

    /// Stops the journey for these groups, which see the person as before; it continues for others,
    /// and ends with the last one.
    ///
    /// - Throws: ``Refusal/notOnAJourney``, also if one of them does not follow it,
    ///   ``Refusal/notAMember``; nothing has changed then.
    public mutating func stopJourney(with groups: [GroupID], at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        let indices = try indices(of: groups)
        let waiting = emergency?.waiting?.groups ?? []
        for index in indices
        where sessions[index].state != .routing && !waiting.contains(sessions[index].group) {
            throw .notOnAJourney
        }
        var effects: [Effect] = []
        for index in indices {
            let (group, isRouting) = (sessions[index].group, sessions[index].state == .routing)
            effects.append(.alert(alert(.journeyStopped, to: group, at: now), repetition: 0))
            perform(.endJourney, on: CollectionOfOne(index), at: now)
            if isRouting {
                withdrawPath(from: group, at: now, &effects)
            } else {
                withdrawWaitingJourney(from: group)
            }
        }
        noteStateOfWatched()
        return settle(effects)
    }

    /// Notifies the following groups how the journey ended. They no longer see its path, which is
    /// discarded unless it belongs to an SOS.
    mutating func endJourney(_ kind: Alert.Kind, at now: Timestamp, _ effects: inout [Effect]) {
        for alert in alert(kind, at: now) { effects.append(.alert(alert, repetition: 0)) }
        if emergency != nil {
            hidePathFromFollowers(&effects)
            perform(.endJourney, on: sessions.indices, at: now)
            return reachWaitingJourney()
        }
        perform(.endJourney, on: sessions.indices, at: now)
        if let path { effects.append(.pathEnded(number: path.number, withdrawn: true)) }
        undertaking = .nothing
    }

    /// Changes the journey that groups currently follow.
    ///
    /// - Returns: nil if there is none.
    @discardableResult
    mutating func changeJourney<Value>(_ body: (inout Journey) -> Value) -> Value? {
        guard case .emergency = undertaking else { return undertaking.changeJourney(body) }
        return isFollowed ? undertaking.changeWaiting { body(&$0.journey) } : nil
    }

    mutating func newPath(_ mode: Path.Mode, with groups: [GroupID], at now: Timestamp) -> Path {
        pathsBegun += 1
        return Path(number: pathsBegun, mode: mode, startedAt: now, groups: groups)
    }
}
