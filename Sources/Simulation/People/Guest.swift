import Contract
import Gate
import MQTT
import Tracking

/// Somebody who registers and logs in, and has a phone from then on.
final class Guest {
    private unowned let world: World
    private let id: String
    private let user: Name
    private let password: String
    private var wire: SimulatedSocket?
    private var isRegistered = false
    private(set) var isDone = false
    private var lastRequest = Duration.zero

    init?(_ world: World, number: Int) {
        guard let user = Name("guest\(number)") else { return nil }
        self.world = world
        id = "visitor-\(number)"
        self.user = user
        password = "not-to-be-seen-\(number)"
        world.oracles.keepSecret(password)
    }

    func act() {
        guard !isDone else { return }
        guard let wire, wire.isOpen else { return connect() }
        guard lastRequest == .zero || world.steady - lastRequest > .seconds(20) else { return }
        lastRequest = world.steady
        let body =
            isRegistered
            ? #"{"login":"\#(user)","password":"\#(password)","device":"phone"}"#
            : #"{"username":"\#(user)","email":"\#(user)@example.org","password":"\#(password)","#
                + #""firstName":"G","lastName":"X","acceptTerms":true}"#
        let topic = "kith/guests/\(id)/requests/account.\(isRegistered ? "login" : "register")"
        wire.toBroker.append(
            .publish(
                Message(topic: topic, payload: Array(body.utf8), packetID: 1),
                isRedelivered: false))
    }

    private func connect() {
        let introduction = Gatekeeper.Introduction(
            clientID: id, username: nil, password: nil, address: "10.0.1.\(id.utf8.count)",
            isContinued: false, mayKeepNewSession: false)
        wire = world.broker.connect(introduction, receiveMaximum: 20)
        guard let wire else { return }
        world.broker.subscribe("kith/guests/\(id)/replies", .atLeastOnce, wire)
        lastRequest = .zero
    }

    func lose() {
        if let wire { world.broker.cut(wire) }
    }

    func pump(_ limit: Int) {
        guard let wire else { return }
        world.broker.process(wire, atMost: limit)
        for _ in 0..<min(limit, wire.toClient.count) {
            // A client with a token leaves at once, with packets still in transit.
            guard !wire.toClient.isEmpty else { return }
            guard case .publish(let message, _) = wire.toClient.removeFirst() else { continue }
            if message.qos != .atMostOnce, wire.isOpen {
                wire.toBroker.append(.acknowledge(message.packetID))
            }
            take(Row.json(message.payload))
        }
    }

    private func take(_ reply: JSONValue) {
        lastRequest = .zero
        guard let text = reply["result"]?["token"]?.text, let token = DeviceToken(text) else {
            // If the name is taken, an earlier attempt to register has succeeded.
            isRegistered = reply["problem"]?["type"]?.text != "urn:kith:problem:wrong-credentials"
            return
        }
        isDone = true
        world.oracles.keepSecret(text)
        let phone = Phone(world, user, token.device, .numbering, isPersistent: true)
        phone.token = token
        phone.password = password
        world.add(phone)
        lose()
    }
}
