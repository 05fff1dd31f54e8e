internal import Contract

/// What the ``SaveSchedule`` is told.
extension Gatekeeper {
    /// A message was accepted.
    func noteAccepted(_ session: Session) {
        if session.principal == .system(.bridge) {
            saves.bridgeSpeaks()
        } else {
            saves.messageArrives()
        }
    }

    /// A message is delivered, or queued for a client that is away.
    func noteHanded(_ message: Delivery, _ session: Session, at now: Duration) {
        guard message.qos > 0, session.principal == .system(.bridge) else { return }
        saves.handedToBridge(at: now)
    }

    /// - Parameter earlier: the session that it resumes, as far as is known.
    func noteNewSession(_ session: Session, after earlier: Session?, at now: Duration) {
        guard session.mayLast, earlier == nil || !session.isContinued else { return }
        saves.sessionsChange(at: now)
    }

    /// Most clients subscribe again to what the broker remembers.
    func noteSubscription(to sources: AccessSources, _ session: Session, at now: Duration) {
        guard session.mayLast, let subscribed = session.subscribed,
            subscribed.union(sources) != subscribed
        else { return }
        saves.sessionsChange(at: now)
    }
}
