internal import Contract
internal import Limits
internal import Numbers

/// Measures at the sockets traffic that callbacks do not show: meaningless packets, and messages
/// that the client does not read.
extension Gatekeeper {
    /// The kernel's figures about a connection, in bytes since it was opened.
    public struct Figures: Sendable {
        /// Bytes that the broker has read.
        public var read: Int
        /// Bytes that the peer's kernel has acknowledged.
        public var acknowledged: Int
        /// Whether nothing is on its way to the peer.
        public var isDrained: Bool

        public init(read: Int, acknowledged: Int, isDrained: Bool) {
            self.read = read
            self.acknowledged = acknowledged
            self.isDrained = isDrained
        }
    }

    /// Records a message that the client may receive.
    func note(
        _ delivery: Delivery, _ session: Session, _ client: Client, at now: Duration
    ) {
        guard session.isConnected else { return }
        chargeRetained(session, client, at: now)
        session.flow.isTouched = true
        // For its acknowledgement.
        session.flow.expected += Flow.overhead
        let isRepeated = delivery.isOnce && session.flow.lastDelivery == publication
        guard session.flow.hasArrived, subscriber == client || !isRepeated else { return }
        session.flow.lastDelivery = publication
        session.flow.delivered += delivery.topic.utf8.count + delivery.size
    }

    /// Counts connections that were closed because they sent no CONNECT.
    public func notePendingEnded(_ count: Int) { refusals.pending += count }

    /// To be called for each connection about once per second.
    public func measure(_ client: Client, _ figures: Figures, at now: Duration) {
        guard let session = sessions[client], session.isConnected else { return }
        guard session.row.charge != .nothing else { return }
        measureWhatCame(session, client, figures, at: now)
        measureWhatWaits(session, figures, at: now)
        session.flow.measuredAt = now
        session.flow.hasArrived = true
        // The broker may have written to it since.
        session.flow.isTouched = true
    }

    private func measureWhatCame(
        _ session: Session, _ client: Client, _ figures: Figures, at now: Duration
    ) {
        let unexplained = Double(figures.read - session.flow.read - session.flow.expected)
        session.flow.read = figures.read
        session.flow.expected = 0
        // Negative if more was expected, such as the rest of a large packet.
        let excess = -spend(unseen: unexplained, session, at: now)
        guard excess > 0 else { return }
        spend(unseen: -excess, session, at: now)
        if !charge(unseen: excess, session, client, at: now) {
            refusals.floods += 1
            orders.append(.cutOff(session.clientID))
        }
    }

    /// - Returns: the rest of the allowance.
    @discardableResult
    private func spend(unseen bytes: Double, _ session: Session, at now: Duration) -> Double {
        guard session.isGuest else {
            return session.meter?.spend(
                bytes, .unseen, overdraft: .greatestFiniteMagnitude, at: now) ?? 0
        }
        let allowance = settings.limits.unseenBytesOfGuest
        session.flow.unseen.spend(
            bytes, downTo: -.greatestFiniteMagnitude, of: allowance, at: now)
        return session.flow.unseen.left(of: allowance, at: now)
    }

    private func measureWhatWaits(_ session: Session, _ figures: Figures, at now: Duration) {
        let limits = settings.limits
        let before = session.flow.held
        var waiting = before + session.flow.delivered
        waiting -= figures.acknowledged - session.flow.acknowledged
        if figures.isDrained {
            // Messages too large for the client, or expired, have been dropped.
            waiting -= Int(
                clamping: (now - session.flow.measuredAt) / .seconds(1) * Gatekeeper.forgiveness)
        }
        session.flow.acknowledged = figures.acknowledged
        session.flow.delivered = 0
        session.flow.held = max(0, waiting)
        held += session.flow.held - before
        let since = session.flow.heldSince ?? now
        session.flow.heldSince = session.flow.held > limits.heldForOne ? since : nil
        let isSlow =
            session.flow.heldSince != nil && now - since >= limits.patienceWithReaders
        guard isSlow || (held > limits.heldForAll && session.flow.held > limits.smallPart)
        else { return }
        refusals.slowReaders += 1
        orders.append(.cutOff(session.clientID))
    }

    /// In bytes per second.
    private static let forgiveness = 1024.0
}
