import Contract
import Gate
import MQTT
import Store
import Tracking

/// A person's phone: it publishes, keeps messages that must not be lost until they are confirmed as
/// stored, and shows what it receives.
final class Phone {
    unowned let world: World
    let user: Name
    let device: Name
    let app: any PhoneApp
    /// Whether it resumes its session when it reconnects.
    let isPersistent: Bool
    var token: DeviceToken
    /// The error of its clock.
    var clockError = Duration.zero

    private(set) var wire: SimulatedSocket?
    private var inflight: [Message] = []
    private var lastPacket: UInt16 = 0
    /// QoS 1 messages published while there was no connection.
    private var unsent: [Message] = []

    // The phone's knowledge.
    var position = 0
    var lastSequence: Int64 = 0
    var kept: [KeptFix] = []
    /// Requests with a number, answered or not.
    private var asked: [Int: AskedRequest] = [:]
    /// By number, until they are answered.
    private(set) var unanswered: [Int: AskedRequest] = [:]
    private var memories: [ObjectIdentifier: any PhoneMemory] = [:]
    /// For a phone without numbers: when the broker accepted each fix.
    var taken: [(at: Duration, takenAt: Timestamp)] = []

    struct KeptFix {
        let sequence: Int64
        let takenAt: Timestamp
        let message: Message
        /// Whether the server may refuse the fix, because a clock was wrong.
        var isDoubtful: Bool
    }

    init(
        _ world: World, _ user: Name, _ device: Name, _ app: any PhoneApp, isPersistent: Bool
    ) {
        self.world = world
        self.user = user
        self.device = device
        self.app = app
        self.isPersistent = isPersistent
        var chance = world.chance
        token = DeviceToken(user: user, device: device, using: &chance)
    }

    var id: String { "\(user).\(device)" }
    var isConnected: Bool { wire?.isOpen ?? false }
    var wall: Timestamp { world.wall + clockError }

    /// Whether its token is valid, by the database's current state.
    var isLoggedIn: Bool {
        world.oracles.access[user]?.tokenHashes[device] == token.hash
    }

    // MARK: Connecting

    func connect() {
        guard !isConnected else { return }
        let introduction = Gatekeeper.Introduction(
            clientID: id, username: user.text, password: token.text,
            address: "10.0.0.\(world.phones.count)", isContinued: isPersistent,
            mayKeepNewSession: isPersistent)
        let wire = world.broker.connect(
            introduction, will: app.will(of: self),
            receiveMaximum: world.chance.pick([2, 20]) ?? 20)
        guard let wire else { return }
        self.wire = wire
        let device = world.topics.string(.replies(user, device: device, suffix: ""))
        subscribe([device.replacing("/replies", with: "/#")] + app.filters(of: self))
        for area in world.areas { subscribe(area.filters(of: user)) }
        for area in world.areas { area.connected(self) }
        if app.isNumbering {
            // It resends the kept messages, the oldest first, before anything else.
            inflight.removeAll { !world.expectedFixes(in: $0.payload).isEmpty }
            unsent.removeAll { !world.expectedFixes(in: $0.payload).isEmpty }
        }
        for message in inflight { wire.toBroker.append(.publish(message, isRedelivered: true)) }
        for message in unsent { send(message) }
        unsent = []
        // A numbering phone resends fixes without a receipt; an app does the same with requests.
        askAgain()
        if let status = app.status("online", of: self) { send(status) }
    }

    private func subscribe(_ filters: [String]) {
        guard let wire else { return }
        for filter in filters { world.broker.subscribe(filter, .atLeastOnce, wire) }
    }

    /// The messages that it keeps, the oldest first; one with an array of fixes is included once.
    var keptMessages: [Message] {
        var payloads: Set<[UInt8]> = []
        return kept.map(\.message).filter { payloads.insert($0.payload).inserted }
    }

    /// Whether the broker has yet to read something that it has sent.
    var isSending: Bool { wire.map { $0.isOpen && !$0.toBroker.isEmpty } ?? false }

    func askAgain() {
        guard isConnected, isLoggedIn else { return }
        for message in keptMessages { send(message) }
        for key in unanswered.keys.sorted() {
            if let request = unanswered[key] { send(request.message) }
        }
    }

    /// Sends a request, with a number if it is to be answered for certain.
    ///
    /// - Parameter fields: members of a JSON object, in which `#` stands for the number.
    func ask(_ method: String, _ fields: String, isNumbered: Bool) {
        let number = world.nextNumber()
        var members = fields.isEmpty ? [] : [fields.replacing("#", with: "\(number)")]
        if isNumbered { members.insert("\"id\":\(number)", at: 0) }
        let message = Message(
            topic: world.topics.string(.request(user, device: device, method: method)),
            payload: Array("{\(members.joined(separator: ","))}".utf8))
        world.noteAsked(method, id: isNumbered ? number : nil)
        world.trace.note("\(id) asks \(method) \(number)")
        guard isNumbered else { return publish(message) }
        let request = AskedRequest(
            number: number, method: method, fields: .of(message.payload), message: message,
            at: world.steady)
        (asked[number], unanswered[number]) = (request, request)
        for area in world.areas { area.asked(request, by: self) }
        publish(message)
        world.oracles.passage.asked(request, by: self)
    }

    /// - Returns: the request that was answered; nil if it is not one of the phone's.
    func answered(_ number: Int) -> AskedRequest? {
        unanswered[number] = nil
        return asked[number]
    }

    // MARK: Areas

    /// Returns the phone's memory for an area.
    func memory<Memory: PhoneMemory>(_ type: Memory.Type = Memory.self) -> Memory {
        if let memory = memories[ObjectIdentifier(type)] as? Memory { return memory }
        let memory = Memory()
        memories[ObjectIdentifier(type)] = memory
        return memory
    }

    func lose() {
        if let wire { world.broker.cut(wire) }
    }

    func leave() {
        guard let wire, wire.isOpen else { return }
        if let status = app.status("offline", of: self) { send(status) }
        wire.toBroker.append(.goodbye)
    }

    func forgetSubscriptions(after time: Duration) {
        for area in world.areas { area.forgetSubscriptions(of: self, since: time) }
        taken.removeAll { $0.at >= time }
    }

    /// Marks kept fixes as doubtful: the server's clock was set, so it may refuse them.
    func doubtKept() {
        for index in kept.indices { kept[index].isDoubtful = true }
    }

    // MARK: Publishing

    /// Sends the message now, or with the next connection.
    func publish(_ message: Message) {
        if isConnected {
            send(message)
        } else if message.qos != .atMostOnce, unsent.count < 50 {
            unsent.append(message)
        }
    }

    private func send(_ message: Message) {
        guard let wire, wire.isOpen else { return unsent.append(message) }
        var message = message
        if message.qos != .atMostOnce {
            lastPacket = lastPacket == .max ? 1 : lastPacket + 1
            message.packetID = lastPacket
            inflight.append(message)
        }
        wire.toBroker.append(.publish(message, isRedelivered: false))
        world.oracles.passage.sent(world.expectedFixes(in: message.payload), by: self)
    }

    // MARK: Listening

    /// Handles at most `limit` packets.
    func listen(atMost limit: Int) {
        guard let wire else { return }
        for _ in 0..<min(limit, wire.toClient.count) {
            guard !wire.toClient.isEmpty else { return }
            switch wire.toClient.removeFirst() {
            case .publish(let message, _):
                take(message)
                if message.qos != .atMostOnce, wire.isOpen {
                    wire.toBroker.append(.acknowledge(message.packetID))
                }
            case .acknowledge(let id):
                guard let index = inflight.firstIndex(where: { $0.packetID == id }) else { break }
                let message = inflight.remove(at: index)
                guard !app.isNumbering else { break }
                for takenAt in world.expectedFixes(in: message.payload) {
                    taken.append((world.steady, takenAt))
                }
            case .goodbye: break
            }
        }
    }

    var isAtRest: Bool {
        inflight.isEmpty && unsent.isEmpty && unanswered.isEmpty
            && kept.allSatisfy(\.isDoubtful) && (wire?.toClient.isEmpty ?? true)
            && (wire?.toBroker.isEmpty ?? true)
    }

    /// Describes what keeps it from being at rest.
    var unrest: String {
        "\(id) (\(isConnected ? "connected" : "away")): \(inflight.count) under way, "
            + "\(unsent.count) unsent, \(unanswered.keys.sorted()) unanswered, "
            + "\(kept.count) kept"
    }
}

/// A phone's memory for an area of the service.
protocol PhoneMemory: AnyObject {
    init()
}
