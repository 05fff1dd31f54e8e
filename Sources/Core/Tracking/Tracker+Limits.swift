/// Temporary sharing, pauses, and approximate positions for groups.
extension Tracker {
    /// Hides everything from everyone until then; after that everything is as before. Starting to
    /// share in any way, a journey and an SOS end the pause.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, ``Refusal/alreadyOnAJourney``, because others rely on
    ///   it; nothing has changed then.
    public mutating func pause(until: Timestamp, at now: Timestamp) throws(Refusal) -> [Effect] {
        if let refusal = undertaking.refusal { throw refusal }
        pausedUntil = until
        pauseSharing(at: now)
        return settle([.pauseChanged])
    }

    mutating func pauseSharing(at now: Timestamp) {
        for index in sessions.indices where sessions[index].state == .active {
            let end = sessions[index].until
            perform(.stopSharing, on: CollectionOfOne(index), at: now)
            (sessions[index].isPaused, sessions[index].until) = (true, end)
        }
    }

    public mutating func resume(at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        resume(at: now, &effects)
        return settle(effects)
    }

    mutating func resume(at now: Timestamp, _ effects: inout [Effect]) {
        guard let end = pausedUntil else { return }
        pausedUntil = nil
        pauseEndedAt = min(end, now)
        for index in sessions.indices where sessions[index].isPaused {
            let end = sessions[index].until
            (sessions[index].isPaused, sessions[index].until) = (false, nil)
            // Its time ended in the meantime.
            if let end, end <= now { continue }
            perform(.startSharing, on: CollectionOfOne(index), at: now)
            sessions[index].until = end
        }
        effects.append(.pauseChanged)
    }

    /// When the next group's time ends. During a journey or an SOS the group still sees the
    /// position.
    var sharingEndsAt: Timestamp? {
        sessions.compactMap { $0.state == .active ? $0.until : nil }.min()
    }

    mutating func endSharing(at now: Timestamp, _ effects: inout [Effect]) {
        for index in sessions.indices where sessions[index].state == .active {
            guard let end = sessions[index].until, end <= now else { continue }
            perform(.stopSharing, on: CollectionOfOne(index), at: now)
            effects.append(.sharingEnded(sessions[index].group))
        }
    }

    /// Sets the precision of the position for a group. A journey's path, which is exact, is no
    /// longer shown.
    ///
    /// - Throws: ``Refusal/notAMember``.
    public mutating func show(_ precision: Precision, to group: GroupID) throws(Refusal) -> [Effect]
    {
        guard let index = index(of: group) else { throw .notAMember }
        guard sessions[index].precision != precision else { return [] }
        sessions[index].precision = precision
        sessions[index].note(.state)
        var effects: [Effect] = []
        if precision != .exact, sessions[index].state == .routing {
            hidePath(from: group, &effects)
        }
        return settle(effects)
    }
}
