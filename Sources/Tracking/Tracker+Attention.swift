extension Tracker {
    /// Whether anybody but the user sees the position as it comes.
    public var isShared: Bool {
        friendsSince != nil || sessions.contains { $0.state.isShared }
    }

    public mutating func store(_ isWanted: Bool) { storesNothing = !isWanted }

    /// The person has asked for something: they know what their device does.
    public mutating func attend(at now: Timestamp) { attendedAt = now }

    /// Friends begin to see the position; once is enough.
    public mutating func startSharingWithFriends(at now: Timestamp) {
        guard friendsSince == nil else { return }
        if !isShared { attendedAt = now }
        friendsSince = now
    }

    /// No friend sees the position any more.
    public mutating func stopSharingWithFriends() { friendsSince = nil }

    /// Nobody sees any more where the user is, or was last, and this forgets it.
    ///
    /// - Throws: ``Refusal/alreadyInSOS``, ``Refusal/alreadyOnAJourney``: somebody relies on it;
    ///   nothing has changed then.
    public mutating func turnOff(at now: Timestamp) throws(Refusal) -> [Effect] {
        if let refusal = undertaking.refusal { throw refusal }
        if let latest { forgottenThrough = latest.takenAt }
        latest = nil
        for index in sessions.indices {
            guard case .inactive(.some) = sessions[index].state else { continue }
            sessions[index].state = .inactive(lastKnown: nil)
            sessions[index].note(.state)
        }
        perform(.stopSharing, on: sessions.indices, at: now)
        friendsSince = nil
        return settle([])
    }

    /// When the person is reminded, unless they do something before.
    func reminderAt(_ rules: Rules) -> Timestamp? {
        guard rules.remindAfter > .zero, isShared, let attendedAt else { return nil }
        return attendedAt + rules.remindAfter
    }

    /// Once for each such time; of those that passed while we were away, for the last one.
    mutating func remind(at now: Timestamp, _ rules: Rules, _ effects: inout [Effect]) {
        guard let attendedAt, let due = reminderAt(rules), due <= now else { return }
        effects.append(.reminder(since: attendedAt))
        self.attendedAt = now
    }
}
