import Contract
import MQTT
import Store
import Tracking

/// One turn of the bridge: messages and the time go in, rows and messages to publish come out. All
/// its changes to the store are one transaction.
///
/// What it does is in the areas (``Areas``); here is what all of them need. Handlers run to the end
/// or throw a ``StoreError``; then memory is read again from the store.
final class Turn {
    let now: Timestamp
    /// Since when the broker has been heard without interruption.
    let listeningSince: Timestamp
    let settings: BridgeSettings
    let memory: Memory
    let transaction: Transaction
    var random: any RandomNumberGenerator
    /// State that outlives the turn and is not in the store.
    let authentication: AuthenticationState
    /// Work on passwords that later turns need the outcome of.
    var work: [PasswordWork] = []
    /// What the directory is to be asked once the turn is on disk.
    var directoryWork: [DirectoryWork] = []
    /// Messages to be sent to channels once the turn is on disk.
    var deliveries: [Delivery] = []
    /// Calls to dispatch, to be made once the turn is on disk.
    var dispatchCalls: [DispatchCall] = []
    /// Counting that later turns need the outcome of.
    var cohortWork: [CohortWork] = []

    private(set) lazy var areas = Areas(self)

    private(set) var counted = Counters()
    private(set) var publications: [Publication] = []
    /// The cost of the publications.
    private(set) var published = 0.0
    /// The cost of looking through lists in memory; see ``look(at:bytes:)``.
    var looked = 0.0
    let workBefore: Int64
    /// Whether what does not belong to calls for help is refused, since the disk is full.
    var isSparing = false
    /// Whether this turn or one before has touched damage in the database.
    var isDamaged = false
    /// Whether messages from before the bridge listened may still come.
    var isCatchingUp = false
    /// What an operator has to look into, as last reported.
    var concerns: [Concern] = []
    /// Whether the server's clock is behind: phones whose samples lie ahead of it are not wrong.
    var isClockBehind = false
    /// Whether phones that are not ahead count as well, as others are.
    var watchesClocks = false
    /// How far phones' clocks are ahead of the server's, by their owners.
    var clockSigns: [UserID: Duration] = [:]
    /// Whether somebody called for help in this turn: what can wait is left for a later one.
    private(set) var hasCallForHelp = false
    /// Whether something was deleted that somebody wants gone, also from the write-ahead log.
    private(set) var hasDeleted = false
    /// The cost of the new requests done in this turn.
    var spentOnRequests = 0.0
    var decisions: DecisionSource
    /// What is being done by itself.
    var serving: Piece?
    /// What the store has rejected of this turn before.
    var rejected: Set<Piece> = []
    /// Knows over what the process ended; nil if nothing outlives it.
    var record: TurnRecord?
    /// What is being done that no message has asked for.
    var working: ClockWork?
    var leftOut: Set<ClockWork> = []

    // Work to be done once at the end, however often it was noted.
    private var peopleTouched: [Person] = []
    /// Whether ordinary positions of people are shown in this turn, for those decided so far.
    var showing: [UserID: Bool] = [:]
    var devicesToReceipt: [DeviceID: (person: Person, device: Device)] = [:]

    init(
        at now: Timestamp, listeningSince: Timestamp, _ settings: BridgeSettings,
        _ memory: Memory, _ transaction: Transaction, _ authentication: AuthenticationState,
        following decided: TurnDecisions? = nil, random: any RandomNumberGenerator
    ) {
        self.now = now
        self.listeningSince = listeningSince
        self.settings = settings
        self.memory = memory
        self.transaction = transaction
        self.authentication = authentication
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

    /// To be called when something is deleted because somebody wants it gone; where that takes several turns,
    /// in the last of them.
    func noteDeletion() { hasDeleted = true }

    // MARK: Publishing

    func publish(_ publication: Publication) {
        published += Cost.of(publication)
        publications.append(publication)
    }

    /// Publishes a message that must not be lost: it stays in the outbox until the broker has it.
    func send(_ topic: String, _ payload: [UInt8], correlationData: [UInt8]? = nil)
        throws(StoreError)
    {
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

    /// Discards what was noted for a user who is deleted.
    func forget(_ person: Person) {
        peopleTouched.removeAll { $0 === person }
        for device in person.devices { devicesToReceipt[device.id] = nil }
        for device in person.devices { memory.line.removeAll(of: device) }
        memory.heldBack[person.id] = nil
        person.firstUnsaved = nil
    }

    // MARK: Finishing the turn

    /// Publishes only the newest state of everything that changed; saves and schedules.
    func finish() throws(StoreError) {
        for (area, work) in zip(areas.all, ClockWork.finishing) where begins(work) {
            try area.finish(peopleTouched)
        }
        endWork()
        publishReceipts()
        for person in memory.takeFarBehind() { note(.save, person) }
        for person in peopleTouched {
            if person.pending.contains(.save) {
                try charge(person.budget) { () throws(StoreError) in try save(person) }
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

    private func save(_ person: Person) throws(StoreError) {
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
