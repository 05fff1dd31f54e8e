import Contract
import Gate
import JSON
import MQTT

/// A person without an account who was given a link.
final class LinkViewer {
    private unowned let world: World
    private let id: String
    private let link: String
    private var guest: Guest?
    private var credentials: (username: String, token: String, topic: String)?
    private var wire: SimulatedSocket?

    init(_ world: World, number: Int, _ link: String) {
        self.world = world
        self.link = link
        id = "viewer-\(number)"
        guest = Guest(world, "\(id)-guest", address: "10.0.2.\(number)") {
            [unowned self] in take($0)
        }
    }

    func act() {
        if let wire, wire.isOpen {
            if world.chance.onceIn(8) { world.broker.cut(wire) }
        } else if let credentials {
            connect(credentials)
        } else {
            guest?.ask("share.open", #""token":"\#(link)""#)
        }
    }

    private func take(_ reply: JSONValue) {
        guard let result = reply["result"], let username = result["username"]?.text,
            let token = result["token"]?.text, let topic = result["topic"]?.text
        else { return }
        world.oracles.keepSecret(token)
        credentials = (username, token, topic)
    }

    private func connect(_ credentials: (username: String, token: String, topic: String)) {
        wire = world.broker.connect(
            Gatekeeper.Introduction(
                clientID: "\(credentials.username).\(id)", username: credentials.username,
                password: credentials.token, address: "10.0.2.200", isContinued: false,
                mayKeepNewSession: false), receiveMaximum: 20)
        guard let wire else { return }
        world.broker.subscribe(credentials.topic, .atLeastOnce, wire)
    }

    /// Moves some packets in both directions.
    func pump(_ limit: Int) {
        guest?.pump(limit)
        guard let wire else { return }
        world.broker.process(wire, atMost: limit)
        for _ in 0..<min(limit, wire.toClient.count) {
            guard case .publish(let message, _) = wire.toClient.removeFirst() else { continue }
            if message.qos != .atMostOnce, wire.isOpen {
                wire.toBroker.append(.acknowledge(message.packetID))
            }
        }
    }
}
