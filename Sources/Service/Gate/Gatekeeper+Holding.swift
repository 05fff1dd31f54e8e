internal import Contract

/// Holds back acknowledgements until the bridge has committed the messages: a killed broker loses
/// what it has not handed over.
extension Gatekeeper {
    /// Holds the acknowledgement of an accepted message that the bridge receives. With QoS 2 the
    /// broker forwards the message only after the first acknowledgement, so these are not held.
    func hold(
        _ session: Session, _ client: Client, _ match: AccessPolicy.TopicMatch, qos: Int,
        at now: Duration
    ) {
        // While the bridge is away messages wait at the broker, which saves them.
        guard settings.holdsAcknowledgements, qos == 1, session.isConnected, !session.isGuest,
            !session.row.isOurs, let lane = policy.lane(of: match), holds.mayHold(lane),
            saves.isTaking(at: now)
        else { return }
        let (isFirst, barrier) = holds.hold(client, lane, at: now)
        if isFirst { orders.append(.hold(client)) }
        if let barrier { send(barrier) }
        if lane == .stream, isDraining(client, at: now) { hurry() }
        if holds.pauses(client) { orders.append(.pause(client)) }
    }

    private func send(_ barrier: Holds.Barrier) {
        orders.append(
            .publish(
                topic: settings.topics.barrier(barrier.lane),
                payload: Array("\(settings.run).\(barrier.number)".utf8)))
    }

    /// Releases the acknowledgements of what the bridge has committed.
    ///
    /// - Parameter text: the barrier's payload.
    func committed(_ lane: TopicRow.Lane, _ text: [UInt8], at now: Duration) {
        let parts = String(decoding: text, as: UTF8.self).split(separator: ".")
        guard parts.count == 2, parts[0] == settings.run, let number = Int(parts[1])
        else { return }
        let (released, next) = holds.commit(Holds.Barrier(lane: lane, number: number), at: now)
        for release in released { perform(release) }
        if let next { send(next) }
        guard lane == .stream else { return }
        // What arrived after the bridge was asked may not be in this commit.
        let isAgain = haste == .again && holds.awaits(.stream)
        haste = .none
        if isAgain { hurry() }
    }

    /// Whether the client seems to have more to send.
    private func isDraining(_ client: Client, at now: Duration) -> Bool {
        holds.count(of: client) >= Holds.several || holds.wasReleased(client, at: now)
    }

    /// Has the bridge commit now, instead of waiting for more fixes: a message on another lane ends
    /// its wait. This one means nothing else.
    private func hurry() {
        guard haste == .none else { return haste = .again }
        haste = .asked
        orders.append(.publish(topic: settings.topics.barrier(.requests), payload: []))
    }

    private func perform(_ release: Holds.Release) {
        orders.append(.release(release.client))
        guard release.wasPaused, let session = sessions[release.client],
            session.flow.pausedAt == nil
        else { return }
        orders.append(.resume(release.client))
    }

    /// To be called if a client's acknowledgements cannot be held; its next message tries again.
    public func noteUnheld(_ client: Client) {
        refusals.unheld += 1
        holds.remove(client)
    }

    /// Called with each tick.
    func settleHolds(at now: Duration) {
        guard now >= nextLookAtHolds else { return }
        nextLookAtHolds = now + Holds.patience / 4
        let ended = saves.isTaking(at: now) ? holds.endLate(at: now) : holds.end()
        refusals.holdsEnded += ended.count
        for release in ended { perform(release) }
        // The broker ends a pause when it writes to the client.
        for client in holds.paused { orders.append(.pause(client)) }
    }
}

/// Whether the bridge was asked to commit.
enum Haste {
    case none
    /// It has not committed since.
    case asked
    /// The same, and it is to be asked again.
    case again
}
