import Bridge
import Contract
import Gate
import MQTT
import Tracking

/// A client with an account and one without, which send whatever a connection accepts: of any size,
/// to any topic, as much as they can. All of that is allowed, but it must not keep others from
/// being heard.
final class Adversary {
    unowned let world: World
    let user: Name
    private let device: Name
    private let token: DeviceToken
    private let guestID = "mallory-guest"
    private var wire: SimulatedSocket?
    private var guestWire: SimulatedSocket?
    private var lastPacket: UInt16 = 0
    /// Whether it acknowledges what it receives.
    private var isAnswering = true
    /// The groups that have admitted it, as far as it was notified.
    var groups: [GroupKey] = []

    init?(_ world: World) {
        guard let user = Name("mallory"), let device = Name("phone") else { return nil }
        self.world = world
        self.user = user
        self.device = device
        var chance = world.chance
        token = DeviceToken(user: user, device: device, using: &chance)
    }

    func settle() throws {
        world.oracles.keepSecret(token.text)
        try world.addUser(user)
        try world.operate(
            .setToken(user: user, device: device, hash: token.hash, speaksOwnTracks: false))
    }

    // MARK: Connecting

    func act() {
        guard let wire, wire.isOpen else { return connect() }
        if world.chance.onceIn(10) { isAnswering.toggle() }
        var choices: [(weight: Int, choice: () -> Void)] = [
            (20, { self.demand() }), (12, { self.ask() }), (6, { self.flood() }),
            (6, { self.upload() }), (5, { self.listen(by: wire) }), (4, { self.leaveSession() }),
            (3, { self.send(self.nonsense()) }), (2, { self.world.broker.cut(wire) }),
        ]
        for area in world.areas { choices += area.attacks(by: self) }
        world.chance.choose(choices)?()
        if world.chance.happens(30) { actAsGuest() }
    }

    private func connect() { wire = connect(as: "\(user).\(device)", isContinued: false) }

    private func connect(as clientID: String, isContinued: Bool) -> SimulatedSocket? {
        let introduction = Gatekeeper.Introduction(
            clientID: clientID, username: user.text, password: token.text, address: "10.0.2.1",
            isContinued: isContinued, mayKeepNewSession: isContinued)
        guard let wire = world.broker.connect(introduction, receiveMaximum: 20) else { return nil }
        let filters = [own("replies")] + world.areas.flatMap { $0.filters(of: user) }
        for filter in filters {
            world.broker.subscribe(filter, .atLeastOnce, wire)
        }
        return wire
    }

    /// Breaks both connections: data that the broker would take hours to read is lost.
    func fallSilent() {
        for wire in [wire, guestWire].compactMap({ $0 }) { world.broker.cut(wire) }
    }

    /// Reads what has arrived, sometimes without acknowledging it.
    func hear(_ limit: Int) {
        for wire in [wire, guestWire].compactMap({ $0 }) {
            for _ in 0..<min(limit, wire.toClient.count) {
                guard case .publish(let message, _) = wire.toClient.removeFirst() else { continue }
                if let topic = world.topics.parse(message.topic) {
                    for area in world.areas { area.received(message, on: topic, by: self) }
                }
                if isAnswering, message.qos != .atMostOnce, wire.isOpen {
                    wire.toBroker.append(.acknowledge(message.packetID))
                }
            }
        }
    }

    func own(_ rest: String) -> String { "kith/users/\(user)/devices/\(device)/\(rest)" }

    func send(_ message: Message, over other: SimulatedSocket? = nil) {
        guard let wire = other ?? wire, wire.isOpen else { return }
        var message = message
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        message.packetID = message.qos == .atMostOnce ? 0 : lastPacket
        wire.toBroker.append(.publish(message, isRedelivered: false))
    }

    // MARK: Permitted actions

    private func listen(by wire: SimulatedSocket) {
        world.broker.subscribe(filter(), .atLeastOnce, wire)
    }

    /// Leaves behind a session, in which messages from the person queue up.
    private func leaveSession() {
        let id = "\(user).\(world.chance.number(0...40))"
        guard let wire = connect(as: id, isContinued: true) else { return }
        world.broker.subscribe(own("#"), .atLeastOnce, wire)
        wire.toBroker.append(.goodbye)
        world.broker.process(wire, atMost: .max)
    }

    // MARK: Without an account

    private func actAsGuest() {
        guard let guestWire, guestWire.isOpen else {
            let introduction = Gatekeeper.Introduction(
                clientID: guestID, username: nil, password: nil, address: "10.0.2.2",
                isContinued: false, mayKeepNewSession: false)
            guestWire = world.broker.connect(introduction, receiveMaximum: 20)
            return
        }
        if world.chance.happens(20) {
            world.broker.subscribe(filter(), .atLeastOnce, guestWire)
            return
        }
        guard let ask = world.chance.pick(world.life.adversaryGuestAsks),
            let fields = ask.fields(self)
        else { return }
        send(
            Message(
                topic: "kith/guests/\(guestID)/requests/\(ask.method)",
                payload: Array("{\(numbered(fields))}".utf8),
                responseTopic: "kith/guests/\(guestID)/replies" + depth(),
                correlationData: data(atMost: 5_000)),
            over: guestWire)
    }
}
