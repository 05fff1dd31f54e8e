import Contract
import Gate
import Limits
import MQTT
import Store
import Tracking

/// A broker that behaves like Mosquitto: sessions, QoS 0 and 1, retained messages, wills, and the
/// real gatekeeper. It saves its state when the gate orders it, and now and then; when killed, it
/// loses anything later.
final class SimulatedBroker {
    unowned let world: World
    var state = BrokerState()
    private(set) var wires: [String: SimulatedSocket] = [:]
    private(set) var isRunning = false
    var gate: Gatekeeper?

    private var saved = BrokerState()
    private var lastSave = Duration.zero
    private var lastHandle: UInt = 0
    private var freeHandles: [UInt] = []

    /// The interval of Mosquitto's `autosave_interval`: shorter than usual, so that confirmed
    /// messages leave the outbox before a phone sends them again.
    static let saving = Duration.seconds(5)

    init(_ world: World) { self.world = world }

    // MARK: Starting and stopping

    func start() {
        state = saved
        for id in state.sessions.keys.sorted() { state.sessions[id]?.handle = newHandle() }
        var settings = GateSettings(topics: world.topics)
        // Low enough for phones to be paused now and then.
        settings.limits.deviceMessages = Allowance(burst: 10, perSecond: 1)
        settings.limits.everybodysMessages = Allowance(burst: 1, perSecond: 1)
        if world.isHostile {
            // Few enough for one member to take them all.
            let assured = world.has(SimulatedEmergencies.buryCalls) ? 0 : 400
            settings.limits.waiting.calls = .init(assured: assured, ofOne: 400, ofGroup: 40)
        }
        settings.awaitsBridge = true
        let path = world.database.path
        gate = Gatekeeper(settings) { () throws(AccessSourceError) in try StoredAccess(path: path) }
        isRunning = true
        lastSave = world.steady
        world.trace.note("broker starts with \(state.sessions.count) sessions")
    }

    /// Loses everything that was not saved, and breaks every connection without publishing a will.
    func kill() {
        isRunning = false
        gate = nil
        for id in wires.keys.sorted() {
            wires[id]?.toBroker = []
            wires[id]?.isOpen = false
        }
        wires = [:]
        freeHandles = []
        // The state that had reached the disk; the writing itself takes a moment.
        state = saved
        world.trace.note("broker killed")
        world.oracles.brokerWasKilled(lastSave)
    }

    func tick() {
        guard isRunning else { return }
        gate?.tick(at: world.steady)
        performOrders()
        if world.steady - lastSave >= SimulatedBroker.saving { save() }
    }

    private func save() {
        lastSave = world.steady
        saved = state
        saved.sessions = state.sessions.filter { $0.value.isPersistent }
    }

    // MARK: Connections

    var connected: [SimulatedSocket] { wires.keys.sorted().compactMap { wires[$0] } }

    /// The retained messages that the bridge reads when it connects.
    var retainedOfBridge: [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (topic, message) in state.retained where world.topics.isCompared(topic) {
            found[topic] = message.payload
        }
        return found
    }

    /// - Returns: nil if the broker or the gate refuses.
    func connect(
        _ introduction: Gatekeeper.Introduction, will: Message? = nil, receiveMaximum: Int
    ) -> SimulatedSocket? {
        guard isRunning, let gate else { return nil }
        let handle = newHandle()
        let isWelcome =
            gate.connect(introduction, as: handle, at: world.steady) == .allowed
        performOrders()
        world.trace.note(
            "\(introduction.clientID) \(isWelcome ? "connects" : "is refused") as \(handle)")
        guard isWelcome else {
            freeHandles.append(handle)
            return nil
        }
        let id = introduction.clientID
        if let former = wires[id] { end(former, isGoodbye: false) }
        let before = state.sessions[id]
        if let before { freeHandles.append(before.handle) }
        let (principal, hash) = SimulatedBroker.principal(of: introduction)
        let isPresent = introduction.isContinued && before != nil
        let wire = SimulatedSocket(
            clientID: id, handle: handle, principal, tokenHash: hash,
            sessionPresent: isPresent, will: will, receiveMaximum: receiveMaximum)
        var session =
            isPresent
            ? before
            : BrokerSession(
                clientID: id, username: introduction.username,
                isPersistent: introduction.isContinued, handle: handle)
        session?.handle = handle
        session?.username = introduction.username
        state.sessions[id] = session
        wires[id] = wire
        if isPresent { resume(id, wire) }
        return wire
    }

    private static func principal(of introduction: Gatekeeper.Introduction)
        -> (Principal, tokenHash: [UInt8]?)
    {
        if let token = introduction.password.flatMap({ PrincipalToken($0) }) {
            return (token.principal, token.hash)
        }
        guard let id = ClientID(introduction.clientID) else {
            preconditionFailure("the gate lets in whom it can name")
        }
        return (.guest(id), nil)
    }

    /// Breaks the network connection: only part of the data in transit to the broker arrives.
    func cut(_ wire: SimulatedSocket) {
        guard wire.isOpen else { return }
        process(wire, atMost: world.chance.number(0...wire.toBroker.count))
        guard wire.isOpen else { return }
        wire.toClient.removeLast(
            wire.toClient.count - world.chance.number(0...wire.toClient.count))
        end(wire, isGoodbye: false)
    }

    /// - Parameter isGoodbye: whether the client sent DISCONNECT, which discards its will.
    func end(_ wire: SimulatedSocket, isGoodbye: Bool) {
        guard wire.isOpen else { return }
        wire.isOpen = false
        wire.toBroker = []
        world.trace.note("\(wire.clientID) \(isGoodbye ? "leaves" : "is gone")")
        guard wires[wire.clientID] === wire else { return }
        wires[wire.clientID] = nil
        gate?.disconnect(wire.handle, at: world.steady)
        performOrders()
        if let will = wire.will, !isGoodbye { publish(will, by: wire) }
        guard state.sessions[wire.clientID]?.isPersistent != true else { return }
        if let session = state.sessions.removeValue(forKey: wire.clientID) {
            freeHandles.append(session.handle)
        }
    }

    /// Returns a handle; now and then a new client gets the memory address of one that is gone.
    private func newHandle() -> UInt {
        if world.chance.happens(30), !freeHandles.isEmpty { return freeHandles.removeFirst() }
        lastHandle += 16
        return lastHandle
    }

    // MARK: The gate's orders

    func performOrders() {
        var cutOff: [SessionID] = []
        for order in gate?.takeOrders() ?? [] {
            switch order {
            case .cutOff(let client): cutOff.append(client)
            case .pause(let handle): pause(handle, true)
            case .resume(let handle): pause(handle, false)
            case .publish(let topic, let payload):
                route(Message(topic: topic, payload: payload), from: nil)
            case .retain(let topic, let payload):
                route(Message(topic: topic, payload: payload, retain: true), from: nil)
            case .log, .hold, .release: break
            case .save: save()
            }
        }
        // Sorted, because the gate may return them in any order.
        for client in cutOff.sorted(by: { $0.text < $1.text }) {
            world.trace.note("the gate cuts off \(client.text)")
            if let wire = wires[client.text] { end(wire, isGoodbye: false) }
        }
    }

    private func pause(_ handle: UInt, _ isPaused: Bool) {
        guard let wire = wires.values.first(where: { $0.handle == handle }) else { return }
        wire.isPaused = isPaused
        world.trace.note("\(wire.clientID) \(isPaused ? "is paused" : "goes on")")
    }
}
