extension Tracker {
    /// The server's clock may have been set back since anything happened here: nothing is waited
    /// for from a moment on that has yet to come. Positions stay as they are.
    ///
    /// - Returns: what follows; nil where nothing lay ahead.
    public mutating func bound(by now: Timestamp, _ rules: Rules) -> [Effect]? {
        var isChanged = presence.bound(by: now)
        func note(_ wasAhead: Bool?) { if wasAhead == true { isChanged = true } }
        note(undertaking.follow { $0.watch.fixAwaitedSince.bound(by: now) })
        note(attendedAt.bound(by: now))
        note(forgottenThrough.bound(by: now))
        note(undertaking.follow { $0.path.startedAt.bound(by: now) })
        note(undertaking.changeEmergency { $0.bound(by: now + rules.repeatAfter) })
        // Not for a moment's correction: whoever is late then is not late twice.
        if let journey, journey.isLate, journey.eta > now + rules.futureTolerance {
            undertaking.changeJourney { $0.isLate = false }
            noteStateOfWatched()
            isChanged = true
        }
        return isChanged ? settle([]) : nil
    }
}

extension Emergency {
    /// No alert is repeated later than this.
    ///
    /// - Returns: whether one was to be.
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
