import Contract
import MQTT
import Store
import Tracking

/// One turn of the bridge: its input is messages and the time, its output rows and publications.
/// All its changes to the store are one transaction.
///
/// Its work is in the areas (``Areas``); this type contains their common parts. Handlers run to the
/// end or throw, and a `Problem` only refuses the request. After any other error the turn is rolled
/// back, and memory is read again from the store.
final class Turn {
    let now: Timestamp
    /// The time since which the bridge has been listening without interruption.
    let listeningSince: Timestamp
    let settings: BridgeSettings
    let memory: Memory
    let transaction: Transaction
    var random: any RandomNumberGenerator
    /// State that outlives the turn and is not in the store.
    let authentication: AuthenticationState
    /// The work of earlier turns.
    let openWork: OpenWork
    /// Work to be done by other threads once the turn is on disk.
    var work: [any Work] = []

    private(set) lazy var areas = Areas(self)

    private(set) var counted = Counters()
    private(set) var publications: [Publication] = []
    /// The cost of the publications.
    private(set) var published = 0.0
    /// The cost of looking through lists in memory; see ``look(at:bytes:)``.
    var looked = 0.0
    let workBefore: Int64
    /// Whether everything unrelated to calls for help is refused, since the disk is full.
    var isSparing = false
    /// Whether this turn or one before has touched damage in the database.
    var isDamaged = false
    /// Whether messages from before the bridge was listening may still arrive.
    var isCatchingUp = false
    /// The operator's concerns, as last reported.
    var concerns: [Concern] = []
    /// Whether the server's clock is behind: phones whose samples are ahead of it are not wrong.
    var isClockBehind = false
    /// Whether phones that are not ahead also count, because others are ahead.
    var watchesClocks = false
    /// The leads of phones' clocks over the server's, by owner.
    var clockSigns: [UserID: Duration] = [:]
    /// Whether there was a call for help in this turn: work that can wait is left for a later one.
    private(set) var hasCallForHelp = false
    /// Whether data was deleted at a user's request, which must also leave the write-ahead log.
    private(set) var hasDeleted = false
    /// The cost of the new requests done in this turn.
    var spentOnRequests = 0.0
    var decisions: DecisionSource
    /// The separate work in progress.
    var serving: Piece?
    /// The parts of this turn that the store has rejected before.
    var rejected: Set<Piece> = []
    /// The record of messages and work that ended the process; nil if nothing outlives it.
    var record: TurnRecord?
    /// The work in progress that no message has requested.
    var working: ClockWork?
    var leftOut: Set<ClockWork> = []

    // Work to be done once at the end, however often it was requested.
    private var peopleTouched: [Person] = []
    /// Whether ordinary positions of people are shown in this turn, for those decided so far.
    var showing: [UserID: Bool] = [:]
    var devicesToReceipt: [DeviceID: (person: Person, device: Device)] = [:]

    init(
        at now: Timestamp, listeningSince: Timestamp, _ settings: BridgeSettings,
        _ memory: Memory, _ transaction: Transaction, _ authentication: AuthenticationState,
        _ openWork: OpenWork, following decided: TurnDecisions? = nil,
        random: any RandomNumberGenerator
    ) {
        self.now = now
        self.listeningSince = listeningSince
        self.settings = settings
        self.memory = memory
        self.transaction = transaction
        self.authentication = authentication
        self.openWork = openWork
        self.random = random
        decisions = DecisionSource(following: decided)
        workBefore = transaction.work
    }

    var topics: TopicSpace { settings.topics }

    func count(_ name: String, _ amount: Int = 1) { counted.count(name, amount) }

    func noteCallForHelp() {
        hasCallForHelp = true
        count("calls")
    }

    /// To be called when data is deleted at a user's request; if that takes several turns, in the
    /// last of them.
    func noteDeletion() { hasDeleted = true }

    // MARK: Publishing

    func publish(_ publication: Publication) {
        published += Cost.of(publication)
        publications.append(publication)
    }

    /// Publishes a message that must not be lost: it stays in the outbox until the broker has it.
    func send(_ topic: String, _ payload: [UInt8], correlationData: [UInt8]? = nil) throws {
        let row = try transaction.insertOutgoing(
            topic: topic, payload: payload, correlationData: correlationData)
        publish(
            Publication(
                topic: topic, payload: payload, qos: .atLeastOnce,
                correlationData: correlationData, lane: .prompt, outboxRow: row))
    }

    func retain(_ topic: Topic, _ payload: [UInt8], qos: QoS = .atLeastOnce) {
        publish(
            Publication(topic: topics.string(topic), payload: payload, qos: qos, retain: true))
    }

    // MARK: Noting work for the end

    func note(_ pending: Person.Pending, _ person: Person) {
        if person.pending.isEmpty { peopleTouched.append(person) }
        person.pending.insert(pending)
    }

    /// Discards pending work for a user who is deleted.
    func forget(_ person: Person) {
        peopleTouched.removeAll { $0 === person }
        for device in person.devices { devicesToReceipt[device.id] = nil }
        for device in person.devices { memory.line.removeAll(of: device) }
        memory.heldBack[person.id] = nil
        person.firstUnsaved = nil
    }

    // MARK: Finishing the turn

    /// Publishes only the newest state of everything that changed; saves and schedules.
    func finish() throws {
        for (area, work) in zip(areas.all, ClockWork.finishing) where begins(work) {
            try area.finish(peopleTouched)
        }
        endWork()
        publishReceipts()
        for person in memory.takeFarBehind() { note(.save, person) }
        for person in peopleTouched {
            if person.pending.contains(.save) {
                try charge(person.budget) { try save(person) }
            }
            if person.pending.contains(.schedule) { schedule(person) }
            person.pending = []
        }
    }

    private func publishReceipts() {
        for (_, (person, device)) in devicesToReceipt.sorted(by: { $0.key < $1.key }) {
            let receipts = device.log.receipts
            guard let sequence = receipts.storedThrough else { continue }
            publish(
                Publication(
                    topic: topics.string(.stored(person.name, device: device.name)),
                    payload: Receipt.payload(
                        storedThrough: sequence, beyond: receipts.beyond)))
        }
    }

    private func save(_ person: Person) throws {
        try transaction.save(person.saved, through: memory.lastFix)
        person.firstUnsaved = nil
        person.unsavedFixes = 0
    }

    private func schedule(_ person: Person) {
        guard
            let due = person.tracker.nextDue(
                listeningSince: listeningSince, settings.rules)
        else { return }
        if let scheduled = person.scheduled, scheduled <= due { return }
        person.scheduled = due
        memory.timers.schedule(person.id, by: due)
    }
}
