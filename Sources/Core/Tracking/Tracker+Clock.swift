extension Tracker {
    /// Handles a server clock that may have been set back: future times that start a wait are moved
    /// to now. Positions stay as they are.
    ///
    /// - Returns: the effects; nil if no time was in the future.
    public mutating func bound(by now: Timestamp, _ rules: Rules) -> [Effect]? {
        let leftAt = presence.leftAt
        var isChanged = presence.bound(by: now)
        if presence.leftAt != leftAt { noteStateOfAll() }
        func note(_ wasAhead: Bool?) { if wasAhead == true { isChanged = true } }
        note(undertaking.follow { $0.watch.fixAwaitedSince.bound(by: now) })
        note(whereabouts.bound(by: now))
        note(attendedAt.bound(by: now))
        note(forgottenThrough.bound(by: now))
        note(undertaking.follow { $0.path.startedAt.bound(by: now) })
        note(undertaking.changeEmergency { $0.bound(by: now + rules.repeatAfter) })
        // Not for a small correction, so that no one becomes late twice.
        if let journey, journey.isLate, journey.eta > now + rules.futureTolerance {
            changeJourney { $0.isLate = false }
            noteStateOfWatched()
            isChanged = true
        }
        return isChanged ? settle([]) : nil
    }
}

extension Emergency {
    /// Moves repetitions that are due later than this back to it.
    ///
    /// - Returns: whether there were any.
    fileprivate mutating func bound(by latest: Timestamp) -> Bool {
        var isChanged = false
        for index in escalations.indices where escalations[index].nextAt.bound(by: latest) {
            isChanged = true
        }
        return isChanged
    }
}

extension Timestamp {
    /// - Returns: whether it was later.
    mutating func bound(by latest: Timestamp) -> Bool {
        guard self > latest else { return false }
        self = latest
        return true
    }
}

extension Timestamp? {
    mutating func bound(by latest: Timestamp) -> Bool { self?.bound(by: latest) ?? false }
}
