import Contract
import Gate
import MQTT
import Tracking

extension SimulatedBroker {
    // MARK: From clients

    /// Handles at most `limit` packets from a client. Mosquitto reads one packet per client in each
    /// pass of its loop, so a client that is to be paused is paused before its next packet.
    func process(_ wire: SimulatedSocket, atMost limit: Int) {
        for _ in 0..<limit {
            guard wire.isOpen, isRunning, !wire.isPaused, !wire.toBroker.isEmpty else { return }
            switch wire.toBroker.removeFirst() {
            case .publish(let message, _):
                let isTaken = publish(message, by: wire)
                guard isTaken else { return end(wire, isGoodbye: false) }
                if message.qos != .atMostOnce, wire.isOpen {
                    wire.toClient.append(.acknowledge(message.packetID))
                }
                if case .system = wire.principal { break }
                tick()
            case .acknowledge(let id): acknowledge(id, by: wire)
            case .goodbye: end(wire, isGoodbye: true)
            }
        }
    }

    /// - Returns: false if the connection is to end without an acknowledgement.
    @discardableResult
    func publish(_ message: Message, by wire: SimulatedSocket) -> Bool {
        guard let gate else { return false }
        guard BrokerLimits.take(message) else {
            world.trace.note("\(wire.clientID) sends what no broker takes")
            return false
        }
        let verdict = gate.publish(
            message.topic, size: message.payload.count,
            objects: message.payload.count { $0 == UInt8(ascii: "{") },
            retained: message.retain, qos: Int(message.qos.rawValue), payload: message.payload,
            by: wire.handle, at: world.steady)
        performOrders()
        // No one subscribes to metrics, and there are many.
        if case .metric = world.topics.parse(message.topic) { return true }
        world.trace.note(
            "\(wire.clientID) publishes \(message.topic) \(message.retain ? "R " : "")\(verdict)",
            message.payload)
        switch verdict {
        case .cutOff: return false
        case .refused: return true
        case .allowed:
            world.oracles.published(message, by: wire)
            var kept = message
            kept.retain = message.retain && gate.mayRetain(message.topic, by: wire.handle)
            route(kept, from: wire.clientID)
            return true
        }
    }

    private func acknowledge(_ id: UInt16, by wire: SimulatedSocket) {
        guard
            let index = state.sessions[wire.clientID]?.inflight.firstIndex(where: {
                $0.packetID == id
            })
        else { return }
        state.sessions[wire.clientID]?.inflight.remove(at: index)
        sendQueued(wire)
    }

    // MARK: To clients

    /// - Parameter sender: the client that does not receive its own message (the bridge's no-local
    ///   option).
    func route(_ message: Message, from sender: String?) {
        if message.retain {
            state.retained[message.topic] = message.payload.isEmpty ? nil : message
        }
        let levels = TopicFilter.levels(of: message.topic)
        for id in state.sessions.keys.sorted() where id != sender {
            guard let session = state.sessions[id],
                let wanted = session.quality(for: levels)
            else { continue }
            var copy = message
            copy.retain = false
            copy.qos = min(message.qos, wanted)
            deliver(copy, to: session)
        }
    }

    /// - Returns: whether the client may receive the message.
    private func asks(_ message: Message, _ session: BrokerSession) -> Bool {
        if world.has(.deliverWithoutAsking) { return true }
        let delivery = Gatekeeper.Delivery(
            topic: message.topic, size: message.payload.count, qos: Int(message.qos.rawValue))
        let absentee = Gatekeeper.Absentee(
            clientID: session.clientID, username: session.username)
        return gate?.mayReceive(
            delivery, session.handle, payload: message.payload, absentee: absentee,
            at: world.steady) ?? false
    }

    private func deliver(_ message: Message, to session: BrokerSession) {
        guard asks(message, session) else { return }
        let id = session.clientID
        guard let wire = wires[id] else {
            if message.qos != .atMostOnce, session.isPersistent {
                state.sessions[id]?.queue.append(message)
            }
            return
        }
        if message.qos == .atMostOnce { return send(message, wire, isQueued: false) }
        state.sessions[id]?.queue.append(message)
        sendQueued(wire, isFresh: session.queue.isEmpty)
    }

    /// Sends queued messages, as far as the client accepts them.
    private func sendQueued(_ wire: SimulatedSocket, isFresh: Bool = false) {
        let id = wire.clientID
        while let session = state.sessions[id], !session.queue.isEmpty,
            session.inflight.count < wire.receiveMaximum
        {
            guard var message = state.sessions[id]?.queue.removeFirst(),
                let packet = state.sessions[id]?.nextPacket()
            else { return }
            message.packetID = packet
            state.sessions[id]?.inflight.append(message)
            send(message, wire, isQueued: !isFresh)
        }
    }

    private func send(
        _ message: Message, _ wire: SimulatedSocket, isQueued: Bool, isRedelivered: Bool = false
    ) {
        world.trace.note("to \(wire.clientID): \(message.topic)", message.payload)
        world.oracles.delivered(message, to: wire, isQueued: isQueued)
        wire.toClient.append(.publish(message, isRedelivered: isRedelivered))
    }

    /// Resumes a client's session: unacknowledged messages are resent, and the gate is queried
    /// again about every message.
    func resume(_ id: String, _ wire: SimulatedSocket) {
        guard let session = state.sessions[id] else { return }
        let inflight = session.inflight.filter { asks($0, session) }
        let queue = session.queue.filter { asks($0, session) }
        state.sessions[id]?.inflight = inflight
        state.sessions[id]?.queue = queue
        for message in inflight {
            send(message, wire, isQueued: false, isRedelivered: true)
        }
        sendQueued(wire, isFresh: true)
        performOrders()
    }

    // MARK: Subscriptions

    /// Subscribes the client; retained messages are sent immediately.
    ///
    /// - Returns: whether the gate grants it.
    @discardableResult
    func subscribe(_ filter: String, _ qos: QoS, _ wire: SimulatedSocket) -> Bool {
        guard wire.isOpen, let gate else { return false }
        guard BrokerLimits.take(topic: filter) else {
            end(wire, isGoodbye: false)
            return false
        }
        let isGranted =
            gate.subscribe(
                filter, qos: Int(qos.rawValue), by: wire.handle, at: world.steady) == .allowed
        performOrders()
        world.trace.note("\(wire.clientID) subscribes to \(filter): \(isGranted)")
        guard isGranted, wire.isOpen else { return false }
        world.oracles.subscribed(to: filter, wire)
        let parsed = TopicFilter(filter)
        state.sessions[wire.clientID]?.filters[parsed] = qos
        for topic in state.retained.keys.sorted()
        where parsed.matches(TopicFilter.levels(of: topic)) {
            guard let session = state.sessions[wire.clientID],
                var message = state.retained[topic]
            else { continue }
            message.retain = true
            message.qos = min(message.qos, qos)
            deliver(message, to: session)
        }
        return true
    }

    func unsubscribe(_ filter: String, _ wire: SimulatedSocket) {
        state.sessions[wire.clientID]?.filters[TopicFilter(filter)] = nil
    }
}

private func min(_ left: QoS, _ right: QoS) -> QoS {
    left.rawValue < right.rawValue ? left : right
}
