import Bridge
import MQTT

/// The bridge's end of its connection, behaving like libmosquitto: acknowledgements are held back
/// until the flush, and are sent before the publications.
final class SimulatedLink: BrokerLink {
    private let wire: SimulatedSocket
    private unowned let process: BridgeProcess
    private var held: [UInt16] = []
    private var pending: [Message] = []
    private var events: [Connection.Event] = []
    private(set) var unanswered = 0
    private var lastID: Int32 = 0
    private let window: Int

    /// - Parameter window: the maximum number of QoS 1 messages in flight to the broker.
    init(_ wire: SimulatedSocket, _ process: BridgeProcess, window: Int) {
        self.wire = wire
        self.process = process
        self.window = window
    }

    func hasRoom(on lane: Lane) -> Bool { unanswered < window }

    func receive(atMost limit: Int) -> [Message] {
        var messages: [Message] = []
        guard !process.isChoked else { return [] }
        while messages.count < limit, !wire.toClient.isEmpty {
            switch wire.toClient.removeFirst() {
            case .publish(let message, _):
                messages.append(message)
                if message.qos != .atMostOnce { held.append(message.packetID) }
                process.world.oracles.bridgeReads(message, over: wire)
                if process.world.has(.choke) { process.swallow(message) }
            case .acknowledge(let id):
                unanswered -= 1
                events.append(.confirmed(.init(rawValue: Int32(id))))
            case .goodbye: break
            }
        }
        if process.world.has(.acknowledgeBeforeCommit) { acknowledge() }
        if !wire.isOpen { events.append(.disconnected(.silence)) }
        return messages
    }

    func takeEvents() -> [Connection.Event] {
        defer { events = [] }
        return events
    }

    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
        guard !process.isDead else { throw .silence }
        let message = Message(
            topic: publication.topic, payload: publication.payload, qos: publication.qos,
            retain: publication.retain, correlationData: publication.correlationData)
        guard BrokerLimits.holds(message) else { throw .tooLarge }
        lastID = lastID == 65_535 ? 1 : lastID + 1
        if publication.qos != .atMostOnce { unanswered += 1 }
        pending.append(message)
        if publication.qos != .atMostOnce {
            pending[pending.endIndex - 1].packetID = UInt16(lastID)
        }
        return Connection.PublishID(rawValue: lastID)
    }

    func flush() throws(MQTTError) {
        acknowledge()
        process.world.canary?.sending?(&pending)
        for message in pending {
            try leave(.publish(message, isRedelivered: false))
        }
        pending = []
        guard wire.isOpen, !process.isDead else { throw .silence }
    }

    func pause(for duration: Duration) { process.world.pass(duration + .microseconds(1)) }
    func maintain() {}

    func disconnect() { wire.toBroker.append(.goodbye) }

    private func acknowledge() {
        for id in held {
            guard wire.isOpen, process.survivesPacket() else { return }
            process.world.oracles.bridgeAcknowledges(id, over: wire)
            wire.toBroker.append(.acknowledge(id))
        }
        held = []
    }

    private func leave(_ packet: SimulatedSocket.Packet) throws(MQTTError) {
        guard wire.isOpen, process.survivesPacket() else { throw .silence }
        wire.toBroker.append(packet)
    }
}
