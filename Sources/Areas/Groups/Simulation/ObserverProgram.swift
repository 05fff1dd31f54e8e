import Contract
import Gate
import JSON
import MQTT
import Tracking

/// A program to which a member shows what a group sees.
final class ObserverProgram {
    private unowned let world: World
    private let clientID: String
    let observer: UUIDv7
    private let token: PrincipalToken
    /// The group's topic.
    private let topic: String
    private var wire: SimulatedSocket?
    private var isSubscribed = false
    /// The messages it has received, by topic, without cleared ones.
    private var known: [String: [UInt8]] = [:]

    init(
        _ world: World, number: Int, _ observer: UUIDv7, _ token: PrincipalToken, topic: String
    ) {
        self.world = world
        clientID = "program-\(number)"
        self.observer = observer
        self.token = token
        self.topic = topic
    }

    var isConnected: Bool { wire?.isOpen ?? false }

    func act() {
        guard let wire, wire.isOpen else { return connect() }
        switch world.chance.number(0...7) {
        case 0: world.broker.cut(wire)
        case 1...3: pry(by: wire)
        default: break
        }
    }

    private func connect() {
        (known, isSubscribed) = ([:], false)
        wire = world.broker.connect(
            Gatekeeper.Introduction(
                clientID: clientID, username: token.username, password: token.text,
                address: "10.0.2.210", isContinued: false, mayKeepNewSession: false),
            receiveMaximum: 20)
        guard let wire else { return }
        isSubscribed = [topic, "\(topic)/members/+", "\(topic)/alerts"].allSatisfy {
            world.broker.subscribe($0, .atLeastOnce, wire)
        }
    }

    /// Requests more than it may see; the oracles check what it receives.
    private func pry(by wire: SimulatedSocket) {
        let other = world.area(SimulatedGroups.self).anyKnown
        let user = world.chance.pick(world.phones)?.user.text ?? "ann"
        let filters = [
            "#", "\(topic)/#", "\(topic)/chat", "\(topic)/members/+/path/#",
            "kith/groups/\(other)", "kith/groups/\(other)/members/+", "kith/groups/+/alerts",
            "kith/users/\(user)/location", "kith/users/\(user)/notices",
        ]
        guard let filter = world.chance.pick(filters) else { return }
        world.broker.subscribe(filter, .atLeastOnce, wire)
    }

    /// Moves some packets in both directions.
    func pump(_ limit: Int) {
        guard let wire else { return }
        world.broker.process(wire, atMost: limit)
        for _ in 0..<min(limit, wire.toClient.count) {
            guard case .publish(let message, _) = wire.toClient.removeFirst() else { continue }
            known[message.topic] = message.payload.isEmpty ? nil : message.payload
            if message.qos != .atMostOnce, wire.isOpen {
                wire.toBroker.append(.acknowledge(message.packetID))
            }
        }
    }

    /// Returns the first topic on which its state differs from the retained message, when no
    /// message is in transit; nil if there is none.
    func difference(from retained: [String: Message]) -> String? {
        guard isConnected, isSubscribed else { return nil }
        let kept = retained.filter { name, message in
            !message.payload.isEmpty && sees(name)
        }
        return Set(kept.keys).union(known.keys.filter(sees)).sorted().first {
            kept[$0]?.payload != known[$0]
        }
    }

    /// Whether it can see the retained message of that topic.
    private func sees(_ name: String) -> Bool {
        if name == topic { return true }
        guard case .member? = world.topics.parse(name) else { return false }
        return name.hasPrefix("\(topic)/")
    }
}
