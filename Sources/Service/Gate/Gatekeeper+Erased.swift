internal import Contract

/// Keeps messages about deleted accounts from being delivered.
extension Gatekeeper {
    /// Whether the message is from or about a deleted user. Names are never reused, so a name
    /// without an account was deleted since the message was published, if it ever existed.
    ///
    /// Every message whose topic names such a user is refused, for any receiver, except the empty
    /// message that clears a retained one. For a client that has just reconnected, the payload of
    /// queued messages is also examined, since the account may have existed when they were
    /// published.
    func mentionsErasedUser(
        _ message: Delivery, _ match: AccessPolicy.TopicMatch, _ payload: () -> [UInt8],
        _ session: Session, at now: Duration
    ) -> Bool {
        guard message.size > 0 else { return false }
        // The bridge compares retained messages with the current state.
        if session.row.isOurs { return false }
        if let subject = policy.subject(of: match), isGone(subject) ?? true { return true }
        guard session.isReturning else { return false }
        chargeReturn(session, size: message.size, at: now)
        // The broker permanently drops messages refused here: a call for help must not be lost
        // because the database could not be read.
        let isAlert = if case .alert = policy.worth(of: match) { true } else { false }
        return policy.people(namedAt: match, in: payload()).contains { isGone($0) ?? !isAlert }
    }

    /// - Returns: nil if that cannot be read.
    private func isGone(_ name: Name) -> Bool? {
        do throws(AccessSourceError) { return try !rights.hasAccount(name) } catch { return nil }
    }

    /// Charges for a queued message, since each reconnection makes the broker examine all of them
    /// again.
    private func chargeReturn(_ session: Session, size: Int, at now: Duration) {
        let limits = settings.limits
        let cost = 1 + Double(size / PayloadLimits.oneMessage)
        _ = session.meter?.spend(
            cost / limits.waitingOfOne, .connections, overdraft: 0, at: now)
    }
}
