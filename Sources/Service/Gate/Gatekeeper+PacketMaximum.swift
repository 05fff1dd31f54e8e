internal import Contract

/// Withholds messages that exceed a client's announced maximum packet size: the broker would also
/// drop them, but never frees their places among the messages in flight, so that eventually no
/// messages of QoS 1 or 2 would reach the client.
extension Gatekeeper {
    /// The number announced by the client, if it is a connection of the bridge: these show where
    /// the broker keeps it.
    public func packetMaximum(ofBridge client: Client) -> UInt32? {
        guard let session = sessions[client], session.principal == .system(.bridge)
        else { return nil }
        return BridgePacketMaximum.announced(by: session.clientID.text)
    }

    /// Records the size of the current message's properties in each delivery.
    public func noteProperties(_ size: Int, on topic: String) { properties = (topic, size) }

    /// Whether the client accepts a packet of this message's size. An absent client counts with its
    /// last maximum: a message that it does not accept would only wait in vain.
    func takes(_ message: Delivery, _ session: Session, at now: Duration) -> Bool {
        guard let maximum = session.packetMaximum else { return true }
        let own = properties.topic.utf8.elementsEqual(message.topic.utf8) ? properties.size : 0
        let size = message.packetSize(properties: own)
        guard size > maximum else { return true }
        refusals.untaken += 1
        tellUntaken(message, size, session, at: now)
        return false
    }

    private func tellUntaken(
        _ message: Delivery, _ size: Int, _ session: Session, at now: Duration
    ) {
        guard case .device(let device, let user) = session.principal,
            session.untaken.count < settings.limits.untakenTold,
            session.untaken.insert(message.topic).inserted,
            message.topic != settings.topics.string(.rejected(user, device: device))
        else { return }
        tell(session, message.topic, .untaken(size, session.packetMaximum ?? 0), at: now)
    }

    /// Warns a device that subscribes to alerts if they can be larger than its maximum: nothing
    /// else can be done.
    func warnOfAlerts(_ filter: String, _ session: Session, at now: Duration) {
        guard let maximum = session.packetMaximum, policy.meansAlerts(filter) else { return }
        let size = Delivery(topic: filter, size: TopicRow.largestAlert, qos: 1).packetSize()
        guard size > maximum else { return }
        tell(session, filter, .untaken(size, maximum), at: now)
    }

    /// Counts refusals at the head of a resumed session's queue. The broker has put queued messages
    /// in flight before it asks the gate, and does not free the places of refused ones. If too many
    /// at the head were refused, no acknowledgement may ever free a place.
    func noteReturned(_ message: Delivery, _ session: Session, isRefused: Bool) {
        guard session.isReturning, message.qos > 0, let count = session.refusedFirst
        else { return }
        if isRefused {
            session.refusedFirst = count + 1
        } else if count < settings.limits.placesLost {
            session.refusedFirst = nil
        }
    }

    /// Ends a session without places: with its next connection the broker's count restarts.
    func endIfWithoutPlaces(_ session: Session) {
        guard let count = session.refusedFirst, count >= settings.limits.placesLost else { return }
        cutOff(session, by: .zero)
    }
}

extension Gatekeeper.Delivery {
    /// The maximum size of its PUBLISH in bytes (MQTT 5, 3.3): with a packet identifier if the
    /// client has subscribed with QoS 1, and with a subscription identifier, which only the broker
    /// knows.
    ///
    /// - Parameter properties: the size of its other properties.
    func packetSize(properties: Int = 0) -> Int {
        let properties = properties + Gatekeeper.Delivery.subscriptionIdentifier
        let identifier = qos > 0 ? 2 : 0
        let rest =
            2 + topic.utf8.count + identifier + Gatekeeper.Delivery.variable(properties)
            + properties + size
        return 1 + Gatekeeper.Delivery.variable(rest) + rest
    }

    /// The bytes of a Variable Byte Integer (MQTT 5, 1.5.5).
    private static func variable(_ number: Int) -> Int {
        number < 1 << 7 ? 1 : number < 1 << 14 ? 2 : number < 1 << 21 ? 3 : 4
    }

    private static let subscriptionIdentifier = 5
}

extension Problem {
    static func untaken(_ size: Int, _ maximum: Int) -> Problem {
        Problem(
            .tooLarge,
            "Messages of this size are not sent to you: a packet of \(size) bytes exceeds your "
                + "Maximum Packet Size, \(maximum).")
    }
}
