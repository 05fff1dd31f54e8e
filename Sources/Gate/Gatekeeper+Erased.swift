internal import Contract
internal import Store

/// Of whom nothing is told any more, because the account was deleted.
extension Gatekeeper {
    /// Whether the message is of somebody who is gone, or tells of one. A name is never given
    /// again, so whoever has no account now had it when the message was published, if ever.
    ///
    /// Everything is refused whose topic says so, but for the empty message that takes away what
    /// was retained there. What waited for somebody who comes back is read as well: when it was
    /// published, the account may have been there.
    func tellsOfTheErased(
        _ message: Delivery, _ place: AccessPolicy.Place, _ payload: () -> [UInt8],
        _ session: Session, at now: Duration
    ) -> Bool {
        guard message.size > 0, case .device = session.principal else { return false }
        if let subject = policy.subject(of: place), isGone(subject) ?? true { return true }
        guard session.isReturning else { return false }
        chargeReturn(session, size: message.size, at: now)
        // What is refused here the broker drops for good: a call for help is not lost because
        // that could not be read.
        let isAlert = if case .alert = policy.worth(of: place) { true } else { false }
        return policy.people(namedAt: place, in: payload()).contains { isGone($0) ?? !isAlert }
    }

    /// - Returns: nil where that cannot be read.
    private func isGone(_ name: Name) -> Bool? {
        do throws(StoreError) { return try !rights.hasAccount(name) } catch { return nil }
    }

    /// To come and go makes the broker look through all that waits, again and again.
    private func chargeReturn(_ session: Session, size: Int, at now: Duration) {
        let limits = settings.limits
        let cost = 1 + Double(size / PayloadLimits.oneMessage)
        _ = session.meter?.spend(
            cost / limits.waitingOfOne, .connections, overdraft: 0, at: now)
    }
}
