extension Tracker {
    /// Whether anyone but the user sees the position live.
    public var isShared: Bool {
        friendsSince != nil || sessions.contains { $0.state.isShared }
    }

    public mutating func store(_ isWanted: Bool) { storesNothing = !isWanted }

    /// Records a request by the person, who so is aware of sharing.
    public mutating func attend(at now: Timestamp) { attendedAt = now }

    /// Starts showing the position to friends; further calls change nothing.
    public mutating func startSharingWithFriends(at now: Timestamp) {
        guard friendsSince == nil else { return }
        if !isShared { attendedAt = now }
        friendsSince = now
    }

    /// Stops showing the position to friends.
    public mutating func stopSharingWithFriends() { friendsSince = nil }

    /// Hides the user's current and last position from everyone, and forgets it.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, ``Refusal/alreadyOnAJourney``, because others rely on
    ///   it; nothing has changed then.
    public mutating func turnOff(at now: Timestamp) throws(Refusal) -> [Effect] {
        if let refusal = undertaking.refusal { throw refusal }
        if let latest { forgottenThrough = latest.takenAt }
        latest = nil
        whereabouts.forgetPlaces()
        if let end = pausedUntil { (pausedUntil, pauseEndedAt) = (nil, min(end, now)) }
        for index in sessions.indices {
            sessions[index].isPaused = false
            guard case .inactive(.some) = sessions[index].state else { continue }
            sessions[index].state = .inactive(lastKnown: nil)
            sessions[index].note(.state)
        }
        perform(.stopSharing, on: sessions.indices, at: now)
        friendsSince = nil
        return settle([])
    }

    /// When the person is reminded, unless they do something first.
    func reminderAt(_ rules: Rules) -> Timestamp? {
        guard rules.remindAfter > .zero, isShared, let attendedAt else { return nil }
        return attendedAt + rules.remindAfter
    }

    /// Reminds the person once for each such time, and only once for all those missed while the
    /// service was down.
    mutating func remind(at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]) {
        guard let attendedAt, let due = reminderAt(rules), due <= now else { return }
        effects.append(.reminder(since: attendedAt))
        self.attendedAt = now
    }
}
