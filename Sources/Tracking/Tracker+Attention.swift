extension Tracker {
    /// Whether anybody but the user sees the position live.
    public var isShared: Bool {
        friendsSince != nil || sessions.contains { $0.state.isShared }
    }

    public mutating func store(_ isWanted: Bool) { storesNothing = !isWanted }

    /// The person has made a request, and so knows what their device does.
    public mutating func attend(at now: Timestamp) { attendedAt = now }

    /// Friends begin to see the position; further calls change nothing.
    public mutating func startSharingWithFriends(at now: Timestamp) {
        guard friendsSince == nil else { return }
        if !isShared { attendedAt = now }
        friendsSince = now
    }

    /// No friend sees the position any longer.
    public mutating func stopSharingWithFriends() { friendsSince = nil }

    /// Nobody sees the user's present or last position any longer, and the tracker forgets it.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, ``Refusal/alreadyOnAJourney``, because somebody relies
    ///   on it; nothing has changed then.
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

    /// Reminds the person once for each such time, and once for all those that passed while the
    /// service was down.
    mutating func remind(at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]) {
        guard let attendedAt, let due = reminderAt(rules), due <= now else { return }
        effects.append(.reminder(since: attendedAt))
        self.attendedAt = now
    }
}
