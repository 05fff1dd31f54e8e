import Contract
import Gate
import JSON
import MQTT
import Tracking

/// A company that registers, logs in and creates a service, and the service's program.
final class SimulatedCompany {
    private unowned let world: World
    private let user = "acme"
    private let password = "not-to-be-seen-by-acme"
    private var guest: Guest?
    private var isRegistered = false
    private var company: Client?
    private(set) var service: Client?

    /// A connection with a token.
    final class Client {
        let id: String
        let username: String
        let token: String
        /// The topic above `requests` and `replies`.
        let topic: String
        var wire: SimulatedSocket?
        var answers = 0

        init(id: String, username: String, token: String, topic: String) {
            (self.id, self.username) = (id, username)
            (self.token, self.topic) = (token, topic)
        }
    }

    init(_ world: World) {
        self.world = world
        world.oracles.keepSecret(password)
        guest = Guest(world, "acme-guest", address: "10.0.3.1") { [unowned self] in take($0) }
    }

    func act() {
        if let service {
            if world.chance.onceIn(20), let company {
                ask(company, "service.list", "")
            } else if world.chance.onceIn(60), let company {
                ask(company, "service.token", #""service":"myheart""#)
            } else if world.chance.onceIn(200), let company {
                ask(company, "service.delete", #""service":"myheart""#)
            } else if world.chance.onceIn(100), let company {
                ask(
                    company, "service.update",
                    #""service":"myheart","address":"https://heart.example.org/""#)
            } else {
                work(service)
            }
        } else if let company {
            ask(
                company, "service.create",
                #""service":"myheart","name":"My Heart","description":"Draws it.""#)
        } else if isRegistered {
            guest?.ask(
                "thirdparty.login",
                #""login":"\#(user)","password":"\#(password)","device":"desk""#)
        } else {
            guest?.ask(
                "thirdparty.register",
                #""company":"Acme","email":"acme@example.org","password":"\#(password)","#
                    + #""acceptTerms":true"#)
        }
    }

    /// Lets the service's program do something.
    private func work(_ service: Client) {
        if world.chance.onceIn(3), let (method, fields) = SimulatedCohorts.ask(world) {
            return ask(service, method, fields)
        }
        guard let person = world.chance.pick(world.phones)?.user else { return }
        let user = #""user":"\#(person)""#
        switch world.chance.number(0...9) {
        case 0: ask(service, "data.users", "")
        case 1 where world.chance.happens(50):
            ask(service, "data.request", #""ssn":"1001","reason":"To draw your heart.""#)
        case 1, 2: ask(service, "data.request", user + #","reason":"To draw your heart.""#)
        case 3, 4, 5: ask(service, "data.subscribe", user)
        case 6: ask(service, "data.unsubscribe", user)
        case 7: ask(service, "notice.list", "")
        default: ask(service, "data.get", user + #","last":\#(world.chance.number(1...20))"#)
        }
    }

    private func ask(_ client: Client, _ method: String, _ fields: String) {
        guard let wire = client.wire, wire.isOpen else { return connect(client) }
        world.noteAsked(method, id: nil)
        wire.toBroker.append(
            .publish(
                Message(
                    topic: "\(client.topic)/requests/\(method)",
                    payload: Array("{\(fields)}".utf8), packetID: 1), isRedelivered: false))
    }

    private func connect(_ client: Client) {
        client.wire = world.broker.connect(
            Gatekeeper.Introduction(
                clientID: client.id, username: client.username, password: client.token,
                address: "10.0.3.2", isContinued: false, mayKeepNewSession: false),
            receiveMaximum: 20)
        guard let wire = client.wire else { return }
        world.broker.subscribe("\(client.topic)/#", .atLeastOnce, wire)
    }

    // MARK: Receiving

    func pump(_ limit: Int) {
        guest?.pump(limit)
        for client in [company, service] {
            guard let client, let wire = client.wire else { continue }
            world.broker.process(wire, atMost: limit)
            for _ in 0..<min(limit, wire.toClient.count) {
                guard !wire.toClient.isEmpty,
                    case .publish(let message, _) = wire.toClient.removeFirst()
                else { continue }
                if message.qos != .atMostOnce, wire.isOpen {
                    wire.toBroker.append(.acknowledge(message.packetID))
                }
                if message.topic == "\(client.topic)/replies" { take(.of(message.payload)) }
            }
        }
    }

    private func take(_ reply: JSONValue) {
        if let deleted = reply["result"]?["deleted"] { return forget(deleted) }
        guard let token = reply["result"]?["token"]?.text else {
            // If the name is taken, an earlier attempt to register succeeded.
            return isRegistered = true
        }
        world.oracles.keepSecret(token)
        if let service = PrincipalToken(token), case .service(let name) = service.principal {
            self.service = Client(
                id: "\(service.username).1", username: service.username, token: token,
                topic: "kith/services/\(name)")
        } else {
            company = Client(
                id: "\(user).desk", username: user, token: token,
                topic: "kith/users/\(user)/devices/desk")
            guest?.lose()
        }
    }

    /// Forgets the service, whose name is never reused.
    private func forget(_ receipt: JSONValue) { service = nil }
}
