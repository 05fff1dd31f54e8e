internal import Contract

/// Events for the ``SaveSchedule``.
extension Gatekeeper {
    /// Records an accepted message.
    func noteAccepted(_ session: Session) {
        if session.principal == .system(.bridge) {
            saves.bridgeSpeaks()
        } else {
            saves.messageArrives()
        }
    }

    /// Records a message that is delivered, or queued for an absent client.
    func noteHanded(_ message: Delivery, _ session: Session, at now: Duration) {
        guard message.qos > 0, session.principal == .system(.bridge) else { return }
        saves.handedToBridge(at: now)
    }

    /// - Parameter earlier: the session that it resumes, if known.
    func noteNewSession(_ session: Session, after earlier: Session?, at now: Duration) {
        guard session.mayLast, earlier == nil || !session.isContinued else { return }
        saves.sessionsChange(at: now)
    }

    /// Records new subscriptions; most clients repeat those that the broker remembers.
    func noteSubscription(to sources: AccessSources, _ session: Session, at now: Duration) {
        guard session.mayLast, let subscribed = session.subscribed,
            subscribed.union(sources) != subscribed
        else { return }
        saves.sessionsChange(at: now)
    }
}
