import Contract
import Gate
import JSON
import MQTT
import Tracking

/// A client that is not logged in.
final class Guest {
    private unowned let world: World
    private let id: String
    private let address: String
    private var wire: SimulatedSocket?
    /// When it sent a request that has not been answered.
    private var lastRequest: Duration?
    private let onReply: (JSONValue) -> Void

    /// - Parameter onReply: called with every reply.
    init(_ world: World, _ id: String, address: String, onReply: @escaping (JSONValue) -> Void) {
        self.world = world
        self.id = id
        self.address = address
        self.onReply = onReply
    }

    /// The time after which it asks again.
    private static let patience = Duration.seconds(20)

    /// Sends the request, unless the answer to another may still come; connects first if necessary.
    func ask(_ method: String, _ fields: String) {
        guard let wire, wire.isOpen else { return connect() }
        if let lastRequest, world.steady - lastRequest <= Guest.patience { return }
        lastRequest = world.steady
        world.noteAsked(method, id: nil)
        wire.toBroker.append(
            .publish(
                Message(
                    topic: "kith/guests/\(id)/requests/\(method)",
                    payload: Array("{\(fields)}".utf8), packetID: 1),
                isRedelivered: false))
    }

    private func connect() {
        let introduction = Gatekeeper.Introduction(
            clientID: id, username: nil, password: nil, address: address, isContinued: false,
            mayKeepNewSession: false)
        wire = world.broker.connect(introduction, receiveMaximum: 20)
        guard let wire else { return }
        world.broker.subscribe("kith/guests/\(id)/replies", .atLeastOnce, wire)
        lastRequest = nil
    }

    func lose() {
        if let wire { world.broker.cut(wire) }
    }

    /// Moves some packets in both directions.
    func pump(_ limit: Int) {
        guard let wire else { return }
        world.broker.process(wire, atMost: limit)
        for _ in 0..<min(limit, wire.toClient.count) {
            // A client that gets its token leaves immediately, with packets still in transit.
            guard !wire.toClient.isEmpty else { return }
            guard case .publish(let message, _) = wire.toClient.removeFirst() else { continue }
            if message.qos != .atMostOnce, wire.isOpen {
                wire.toBroker.append(.acknowledge(message.packetID))
            }
            lastRequest = nil
            onReply(.of(message.payload))
        }
    }
}
