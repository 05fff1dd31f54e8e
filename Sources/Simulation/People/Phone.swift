import Contract
import Gate
import MQTT
import Store
import Tracking

/// Somebody's phone: it publishes, keeps what must not be lost until that is confirmed as stored,
/// and shows what it receives.
final class Phone {
    enum Kind {
        /// Numbers its fixes and keeps each until its receipt.
        case numbering
        case plain
        case ownTracks
    }

    unowned let world: World
    let user: Name
    let device: Name
    let kind: Kind
    /// Whether it resumes its session when it reconnects.
    let isPersistent: Bool
    var token: DeviceToken
    var password: String?
    /// The error of its clock.
    var clockError = Duration.zero

    private(set) var wire: SimulatedSocket?
    private var inflight: [Message] = []
    private var lastPacket: UInt16 = 0
    /// QoS 1 messages published while there was no connection.
    private var unsent: [Message] = []

    // What it knows.
    var position = 0
    var lastSequence: Int64 = 0
    var kept: [KeptFix] = []
    /// By id, until they are answered.
    var unanswered: [Int: Message] = [:]
    var groups: [GroupKey] = []
    /// Users who have shared their position, and perhaps no longer do.
    var friends: Set<Name> = []
    var subscribedSince: [GroupKey: Duration] = [:]
    var states: [String: (version: Int64, payload: [UInt8])] = [:]
    var alerts: Set<String> = []
    var lastAlert: String?
    /// The chat messages that it shows.
    var chat: Set<String> = []
    /// The last message received in each group since the phone subscribed.
    var lastMessage: [GroupKey: String] = [:]
    /// For a phone without numbers: when the broker accepted which fix.
    var taken: [(at: Duration, takenAt: Timestamp)] = []

    struct KeptFix {
        let sequence: Int64
        let takenAt: Timestamp
        let message: Message
        /// Whether the server may refuse it, because a clock was wrong.
        var isDoubtful: Bool
    }

    init(_ world: World, _ user: Name, _ device: Name, _ kind: Kind, isPersistent: Bool) {
        self.world = world
        self.user = user
        self.device = device
        self.kind = kind
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
            introduction, will: will, receiveMaximum: world.chance.pick([2, 20]) ?? 20)
        guard let wire else { return }
        self.wire = wire
        if !wire.sessionPresent { subscribedSince = [:] }
        let device = world.topics.string(.replies(user, device: device, suffix: ""))
        for filter in [
            device.replacing("/replies", with: "/#"),
            world.topics.string(.userGroups(user)), world.topics.string(.notices(user)),
        ] {
            world.broker.subscribe(filter, .atLeastOnce, wire)
        }
        if kind == .ownTracks {
            world.broker.subscribe("owntracks/\(user)/#", .atLeastOnce, wire)
        }
        for group in groups { subscribe(to: group) }
        for friend in friends.sorted() { look(at: friend) }
        if kind == .numbering {
            // It resends what it keeps, the oldest first, before anything else.
            inflight.removeAll { !world.expectedFixes(in: $0.payload).isEmpty }
            unsent.removeAll { !world.expectedFixes(in: $0.payload).isEmpty }
        }
        for message in inflight { wire.toBroker.append(.publish(message, isRedelivered: true)) }
        for message in unsent { send(message) }
        unsent = []
        // A numbering phone resends fixes without a receipt; an app does the same with requests.
        askAgain()
        if kind != .ownTracks { send(status("online")) }
    }

    /// The messages that it keeps, the oldest first; one with an array of fixes is included once.
    var keptMessages: [Message] {
        var payloads: Set<[UInt8]> = []
        return kept.map(\.message).filter { payloads.insert($0.payload).inserted }
    }

    /// Whether something that it has sent has not been read by the broker yet.
    var isSending: Bool { wire.map { $0.isOpen && !$0.toBroker.isEmpty } ?? false }

    func askAgain() {
        guard isConnected, isLoggedIn else { return }
        for message in keptMessages { send(message) }
        for key in unanswered.keys.sorted() {
            if let message = unanswered[key] { send(message) }
        }
    }

    private var will: Message {
        guard kind == .ownTracks else { return status("offline") }
        return Message(
            topic: "owntracks/\(user)/\(device)", payload: Array(#"{"_type":"lwt"}"#.utf8))
    }

    private func status(_ word: String) -> Message {
        Message(
            topic: world.topics.string(.status(user, device: device)),
            payload: Array(word.utf8), retain: true)
    }

    func subscribe(to group: GroupKey) {
        // Retained messages come again.
        let prefix = world.topics.string(.group(group)) + "/"
        states = states.filter { !$0.key.hasPrefix(prefix) }
        guard let wire, wire.isOpen,
            world.broker.subscribe("\(world.topics.string(.group(group)))/#", .atLeastOnce, wire)
        else {
            subscribedSince[group] = nil
            return
        }
        guard subscribedSince[group] == nil else { return }
        subscribedSince[group] = world.steady
        lastMessage[group] = nil
    }

    func lose() {
        if let wire { world.broker.cut(wire) }
    }

    func leave() {
        guard let wire, wire.isOpen else { return }
        if kind != .ownTracks { send(status("offline")) }
        wire.toBroker.append(.goodbye)
    }

    func forgetSubscriptions(after time: Duration) {
        subscribedSince = subscribedSince.filter { $0.value < time }
        taken.removeAll { $0.at >= time }
    }

    /// Marks what is kept as doubtful: the server's clock was set, so it may refuse it.
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
                guard kind != .numbering else { break }
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
