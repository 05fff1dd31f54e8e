import Bridge
import Contract
import Gate
import Logging
import MQTT
import Store
import Tracking

/// A bridge from its start until its death: the real store, engine and turn loop, on top of a
/// driver that fails and a link that breaks.
final class BridgeProcess {
    unowned let world: World
    private(set) var isDead = false
    /// Whether it has stopped reading: a deliberate bug.
    private(set) var isChoked = false
    private var turnLoop: TurnLoop?
    private var wires: [SimulatedSocket] = []
    private var link: LaneConnections<SimulatedLink>?
    /// When it tries to connect again.
    private var idleUntil = Duration.zero
    private var pause = 200
    /// Whether the database has failed; the bridge then probes it until it works again.
    private var isTroubled = false
    private var passwords: [(at: Duration, work: PasswordWork)] = []
    /// Without faults.
    private let store: Store
    private var counting: [(at: Duration, work: CohortWork)] = []
    private var counted: [CohortOutcome] = []

    // State of the current transaction.
    private var input: TurnInput?
    private var seed: UInt64 = 0
    private var uncommitted: [Written] = []

    init(_ world: World) throws {
        self.world = world
        store = try Store.open(world.database.path, at: world.wall)
        let driver = FaultyDriver(store.driver, self)
        let engine = try Engine(Store(driver: driver), world.settings, random: world.dice)
        engine.onTurn = { [unowned self] in input = $0 }
        engine.stopwatch = { [unowned world] in world.steady }
        turnLoop = TurnLoop(
            engine, world.settings,
            logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }))
        world.trace.note("bridge starts")
        world.oracles.passage.disturbed()
    }

    var isConnected: Bool { link != nil }
    var engine: Engine? { turnLoop?.engine }
    var backlog: Int { (turnLoop?.backlog ?? 0) + passwords.count + (reading == nil ? 0 : 1) }

    // MARK: Events from the driver and the link

    func begin() {
        seed = world.nextTurnSeed()
        world.dice.begin(seed)
        uncommitted = []
    }

    /// - Parameter row: the id that the statement returned.
    func note(_ sql: String, _ values: [SQLValue], row: Int64? = nil) {
        if world.watches(sql) { uncommitted.append(Written(sql, values, row: row)) }
        world.oracles.wrote(values)
    }

    func didCommit() {
        // The commit is on disk; that takes time.
        world.pass(.milliseconds(2))
        let turn = input
        input = nil
        world.oracles.committed(uncommitted)
        uncommitted = []
        guard let turn else { return }
        do {
            try world.oracles.shadow.take(turn, seed: seed)
        } catch {
            world.oracles.fail("shadow", "it could not take a turn: \(error)")
        }
    }

    func didFail() {
        world.oracles.passage.disturbed()
        input = nil
        uncommitted = []
    }

    func die(_ place: String) {
        isDead = true
        world.oracles.passage.disturbed()
        world.trace.note("bridge dies \(place)")
    }

    /// Whether the process survives to send another packet.
    func survivesPacket() -> Bool {
        if !isDead, world.plan.diesAtPacket() { die("between packets") }
        return !isDead
    }

    func swallow(_ message: Message) {
        if message.payload.count > BridgeProcess.mouthful { isChoked = true }
    }

    /// In bytes; no ordinary person sends this much together.
    private static let mouthful = 1_500

    /// Closes what the dead process left open, as the operating system would.
    func bury() {
        cutWires()
        (link, turnLoop) = (nil, nil)
        world.receivers.forgetOutcomes()
    }

    // MARK: Retained messages

    /// A reading of the retained messages, over a separate connection, while the loop goes on.
    private struct Reading {
        private let at: Duration
        private let end: Duration
        private var retained: [String: [UInt8]]?

        init(_ world: World) {
            at = world.steady + world.chance.milliseconds(0...1000)
            end = at + world.chance.milliseconds(0...1000)
        }

        /// - Returns: what was read, or nil until it is complete.
        mutating func take(_ world: World) -> [String: [UInt8]]? {
            if retained == nil, world.steady >= at { retained = world.broker.retainedOfBridge }
            return world.steady >= end ? retained : nil
        }
    }

    private var reading: Reading?

    private func correct(_ turnLoop: TurnLoop) throws {
        guard let retained = reading?.take(world) else { return }
        reading = nil
        if world.has(.trustRetained) { return }
        try turnLoop.correct(retained)
    }

    // MARK: The loop

    /// Makes one pass, like `BridgeLoop`.
    func look() {
        guard !isDead, let turnLoop else { return }
        do {
            if isTroubled {
                try turnLoop.engine.probe()
                isTroubled = false
            } else if let link {
                try round(turnLoop, link)
            } else if world.steady >= idleUntil {
                try connect(turnLoop)
            } else {
                defer { handOver(turnLoop.engine) }
                try turnLoop.idle(
                    at: world.moment,
                    outcomes: world.receivers.takeOutcomes() + takeCounted())
            }
        } catch {
            guard !isDead else { return }
            world.trace.note("bridge: \(error)")
            lose(turnLoop)
            isTroubled = error is StoreError
        }
    }

    private func lose(_ turnLoop: TurnLoop) {
        cutWires()
        (link, reading) = (nil, nil)
        turnLoop.lose()
        idleUntil = world.steady + .milliseconds(pause)
        pause = min(2 * pause, 10_000)
    }

    private func connect(_ turnLoop: TurnLoop) throws {
        let topics = world.topics
        let will = Message(
            topic: topics.string(.systemStatus), payload: Array(#"{"status":"offline"}"#.utf8),
            retain: true)
        let id = world.settings.broker.clientID
        let link = LaneConnections(
            prompt: try connect("\(id).requests", will: nil, topics.inputs(of: .requests)),
            vitals: try connect("\(id).vitals", will: nil, topics.inputs(of: .vitals)),
            bulk: try connect(id, will: will, topics.inputs(of: .stream)))
        try turnLoop.begin(link, at: world.moment)
        reading = Reading(world)
        self.link = link
        pause = 200
        world.oracles.passage.disturbed()
        world.trace.note("bridge is connected")
    }

    private func connect(_ clientID: String, will: Message?, _ filters: [String]) throws
        -> SimulatedLink
    {
        let introduction = Gatekeeper.Introduction(
            clientID: clientID, username: "kith:bridge", password: world.bridgeToken.text,
            address: "127.0.0.1", isContinued: true, mayKeepNewSession: true)
        guard
            let wire = world.broker.connect(
                introduction, will: will, receiveMaximum: room([5, 50, 4000]))
        else { throw MQTTError.silence }
        wires.append(wire)
        for filter in filters {
            guard world.broker.subscribe(filter, .atLeastOnce, wire) else {
                throw MQTTError.silence
            }
        }
        return SimulatedLink(wire, self, window: room([2, 20, 2000]))
    }

    /// Returns the number of messages that may be in flight. If someone floods the bridge, it is as
    /// large as a real bridge's: with less, everyone would wait for everyone else.
    private func room(_ choices: [Int]) -> Int {
        let room = world.chance.pick(choices)
        return world.isHostile ? choices.max() ?? 1 : room ?? 1
    }

    private func round(_ turnLoop: TurnLoop, _ link: LaneConnections<SimulatedLink>) throws {
        defer {
            handOver(turnLoop.engine)
            for work in turnLoop.engine.takeWork(PasswordWork.self) {
                passwords.append((world.steady + world.chance.milliseconds(50...3000), work))
            }
            for work in turnLoop.engine.takeWork(CohortWork.self) {
                counting.append((world.steady + world.chance.milliseconds(10...5000), work))
            }
        }
        try correct(turnLoop)
        // Like the real worker's, these outcomes are returned once, and only to a round.
        let due = passwords.filter { $0.at <= world.steady }
        passwords.removeAll { $0.at <= world.steady }
        try turnLoop.round(
            at: world.moment,
            outcomes: due.map { $0.work.perform() } + world.receivers.takeOutcomes()
                + takeCounted())
    }

    private func handOver(_ engine: Engine) {
        world.receivers.send(engine.takeWork(Delivery.self))
        world.receivers.send(engine.takeWork(DispatchCall.self))
    }

    /// Returns the outcomes like the real worker, one at a time.
    private func takeCounted() -> [any WorkOutcome] {
        if counted.isEmpty, let first = counting.first, first.at <= world.steady {
            counting.removeFirst()
            var noise = SplitMix64(seed: UInt64(world.chance.number(0...Int.max)))
            counted = first.work.perform(on: store, using: &noise)
        }
        return counted.isEmpty ? [] : [counted.removeFirst()]
    }

    /// Breaks one of the connections, or all.
    func loseConnection() {
        if let wire = world.chance.pick(wires) { world.broker.cut(wire) }
        if world.chance.happens(50) { for wire in wires { world.broker.cut(wire) } }
    }

    private func cutWires() {
        for wire in wires { world.broker.cut(wire) }
        wires = []
    }

    /// The next timer, by the wall clock.
    var nextTimer: Timestamp? { turnLoop?.engine.nextTimer }
}
