import Bridge
import Clocks
import Contract
import Foundation
import Limits
import MQTT
import Store
import Tracking
import Transfer

/// A whole installation in one thread: people with phones, a network, a broker with its gate, and a
/// bridge with its database; one seed decides everything.
final class World {
    let chance: Chance
    let trace: Trace
    let canary: Canary?
    /// Whether there is an adversary, which must not keep anyone waiting.
    let isHostile: Bool
    let settings: BridgeSettings
    let database: TemporaryDatabase
    let dice = Dice()
    let bridgeToken: PrincipalToken
    private(set) lazy var broker = SimulatedBroker(self)
    private(set) lazy var oracles = Oracles(self, reader, shadow)
    private let reader: Store
    private let shadow: Shadow
    /// The operator's commands use a database connection of their own.
    private let operatorStore: Store
    let life: Life
    private(set) lazy var receivers = SimulatedReceivers(self)
    /// In the order of ``simulatedAreas``.
    private(set) lazy var areas = simulatedAreas.map { $0.init(self) }

    var bridge: BridgeProcess?
    var plan = FaultPlan()
    /// Whether budgets are so small that requests have to wait, while people send many at once.
    let isTight: Bool
    /// How often something goes wrong: once in this many steps; nil for never.
    var trouble: Int?
    // When stopped parts are started again.
    var bridgeStart = Duration.zero
    var brokerStart = Duration.zero

    private(set) var steady = Duration.seconds(1000)
    /// The wall clock's time when the steady clock began.
    private var wallStart = Timestamp(milliseconds: 1_777_593_600_000 + 38_400_000)

    private(set) var phones: [Phone] = []
    private(set) var spy: Phone?
    private(set) var adversary: Adversary?
    private var expected: [[UInt8]: [Timestamp]] = [:]
    /// The numbers of requests that are processed only once: those with an id. After a crash, a
    /// request without an id is processed twice rather than not at all.
    private var idsAsked: Set<Int> = []
    private(set) var methodsAsked: Set<String> = []
    private(set) var isPopulated = false
    private var numbers = 0
    private var turns: UInt64 = 0

    init(seed: UInt64, canary: Canary?, isHostile: Bool, trace: Trace) throws {
        chance = Chance(seed: seed)
        self.trace = trace
        self.canary = canary
        life = Life(with: canary)
        self.isHostile = isHostile
        var settings = BridgeSettings()
        settings.accounts.passwordCost = 10
        settings.accounts.termsVersion = "1"
        settings.accounts.companiesNeedSecondFactor = false
        settings.accounts.companiesNeedConfirmedAddress = false
        settings.accounts.passwordBlockSize = 1
        settings.accounts.passwordParallelism = 1
        settings.broker.hasGate = true
        settings.rules.remindAfter = .seconds(900)
        isTight = seed % 3 == 0
        if isTight {
            settings.fairness.allowance = Allowance(burst: 60, perSecond: 30)
            settings.fairness.guests = Allowance(burst: 60, perSecond: 30)
            settings.fairness.turnShare = 60
        }
        settings.channels.mail = .init(
            by: try MailServer(host: "mail.example", port: 465, security: .tls),
            from: "kith@example.org")
        settings.channels.page = "https://kith.example"
        settings.sealingKeys = SimulatedVitals.keys
        settings.emergency.dispatchAreas = SimulatedDispatch.areas
        settings.emergency.drillEvery = .seconds(3_600)
        settings.cohorts.policy = SimulatedCohorts.policy
        settings.cohorts.settling = .seconds(60)
        // A life is shorter than a week.
        settings.accounts.verifiedFor = .seconds(60)
        settings.broker.autosaveInterval = SimulatedBroker.saving
        canary?.setting?(&settings)
        self.settings = settings
        let chance = chance
        let trouble = [6, 15, 40, 150, nil][chance.number(0...4)]
        self.trouble = trouble
        database = try TemporaryDatabase()
        let start = wallStart + steady
        operatorStore = try Store.open(database.path, at: start)
        reader = try Store.openReadOnly(database.path)
        shadow = try Shadow(settings, at: start)
        var dice = chance
        let token = PrincipalToken(.system(.bridge), using: &dice)
        bridgeToken = token
        try operatorStore.transaction { try $0.setTokenHash(token.hash, ofSystem: "kith:bridge") }
        try settle()
        if isHostile { try letInAdversary() }
    }

    // MARK: Time

    var wall: Timestamp { wallStart + steady }
    var moment: ClockReading { ClockReading(wall: wall, steady: steady) }
    func pass(_ duration: Duration) { steady += duration }
    func setClock(by duration: Duration) { wallStart = wallStart + duration }

    var topics: TopicSpace { settings.topics }

    func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    func nextTurnSeed() -> UInt64 {
        turns += 1
        return turns
    }

    // MARK: People

    /// Sets up the people of the simulation, with their own phones and whatever the areas add; the
    /// bridge's first turn creates them.
    private func settle() throws {
        let people: [(String, [(String, KithApp, Bool)])] = [
            ("ann", [("phone", .numbering, true), ("watch", .plain, false)]),
            ("ben", [("phone", .numbering, true)]), ("cid", [("phone", .plain, true)]),
            ("dee", [("phone", .plain, true)]), ("eve", [("phone", .numbering, true)]),
        ]
        for (name, devices) in people {
            guard let user = Name(name) else { continue }
            try addUser(user)
            for (device, app, isPersistent) in devices {
                guard let device = Name(device) else { continue }
                let phone = try give(user, device, app, isPersistent: isPersistent)
                if name == "eve" { spy = phone }
            }
        }
        for area in areas { try area.settle() }
    }

    func addUser(_ user: Name) throws {
        try operate(
            .addUser(
                user, displayName: user.text.capitalized, email: "\(user)@example.org",
                ownTracksPublishIsSOS: false))
    }

    private func letInAdversary() throws {
        adversary = Adversary(self)
        try adversary?.settle()
    }

    /// Sets up everything that requires the bridge's first turns.
    func populate() throws {
        guard !isPopulated else { return }
        isPopulated = true
        for area in areas where try !area.populate() { isPopulated = false }
    }

    /// Gives a user one more phone.
    @discardableResult
    func give(_ user: Name, _ device: Name, _ app: any PhoneApp, isPersistent: Bool) throws
        -> Phone
    {
        let phone = Phone(self, user, device, app, isPersistent: isPersistent)
        add(phone)
        try giveToken(phone)
        return phone
    }

    func add(_ phone: Phone) { phones.append(phone) }

    func giveToken(_ phone: Phone) throws {
        oracles.keepSecret(phone.token.text)
        try operate(phone.app.tokenCommand(phone))
    }

    /// - Parameter id: the number in the request, if it has one.
    func noteAsked(_ method: String, id: Int?) {
        methodsAsked.insert(method)
        if let id { idsAsked.insert(id) }
    }

    /// Returns whether the thing with this name, a letter and a request's number, was requested
    /// with an id.
    func isAskedOnce(_ name: String) -> Bool {
        Int(name.dropFirst()).map { idsAsked.contains($0) } ?? false
    }

    // MARK: Areas

    func area<Area: SimulatedArea>(_ type: Area.Type = Area.self) -> Area {
        for area in areas { if let area = area as? Area { return area } }
        preconditionFailure("\(type) is not in the list of areas")
    }

    /// Returns whether an oracle watches such a statement.
    func watches(_ sql: String) -> Bool {
        Oracles.statements.contains { sql.hasPrefix($0) }
            || life.statements.contains { sql.hasPrefix($0) }
    }

    /// Returns filters and topics for a client that tries what is not allowed.
    func targets(_ victim: Name) -> Targets {
        var targets = Targets(
            filters: [
                "#", "+/+/+", "kith/users/\(victim)/devices/phone/#", "kith/system/#",
                "kith/bridge/connections",
            ],
            topics: ["kith/users/\(victim)/devices/phone/fix", "kith/bridge/connections"])
        for area in areas {
            let more = area.targets(victim)
            targets.filters += more.filters
            targets.topics += more.topics
        }
        return targets
    }

    func has(_ canary: Canary) -> Bool { self.canary?.name == canary.name }

    // MARK: Commands

    /// Queues a command for the bridge and for its shadow.
    func operate(_ command: OperatorCommand) throws {
        let now = wall
        for store in [operatorStore, shadow.store] {
            try store.transaction { _ = try $0.insertOperatorRequest(command.json, at: now) }
        }
    }

    // MARK: Expected fixes

    func expect(_ times: [Timestamp], in payload: [UInt8]) { expected[payload] = times }
    func expectedFixes(in payload: [UInt8]) -> [Timestamp] { expected[payload] ?? [] }
}
