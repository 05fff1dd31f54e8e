import Contract
import MQTT
import Store
import Tracking

/// The areas of the service during a turn: the only list of them in the bridge.
final class Areas {
    let accounts: Accounts
    let channels: Channels
    let chat: Chat
    let cohorts: Cohorts
    let dispatch: Dispatch
    let emergencies: Emergencies
    let friends: Friends
    let geofences: Geofences
    let groups: Groups
    let history: History
    let invitations: Invitations
    let journeys: Journeys
    let maintenance: Maintenance
    let monitoring: Monitoring
    let notices: Notices
    let ownTracks: OwnTracks
    let places: Places
    let reminders: Reminders
    let runs: Runs
    let services: Services
    let shareLinks: ShareLinks
    let vitals: Vitals

    /// In the order in which they are asked: an effect is carried out (an alert is sent before
    /// OwnTracks apps show it), the turn finished (what the clock calls for, then paths before
    /// states, and both before what apps show), an account erased and exported.
    let all: [any AreaHandler]

    init(_ turn: Turn) {
        accounts = Accounts(turn)
        channels = Channels(turn)
        chat = Chat(turn)
        cohorts = Cohorts(turn)
        dispatch = Dispatch(turn)
        emergencies = Emergencies(turn)
        friends = Friends(turn)
        geofences = Geofences(turn)
        groups = Groups(turn)
        history = History(turn)
        invitations = Invitations(turn)
        journeys = Journeys(turn)
        maintenance = Maintenance(turn)
        monitoring = Monitoring(turn)
        notices = Notices(turn)
        ownTracks = OwnTracks(turn)
        places = Places(turn)
        reminders = Reminders(turn)
        runs = Runs(turn)
        services = Services(turn)
        shareLinks = ShareLinks(turn)
        vitals = Vitals(turn)
        all = [
            monitoring, dispatch, maintenance, journeys, groups, invitations, shareLinks, friends,
            emergencies, chat, geofences, places, reminders, notices, channels, vitals, history,
            runs, services, cohorts, ownTracks, accounts,
        ]
        assert(all.map { "\(type(of: $0))" } == Areas.types.map { "\($0)" }, "two lists differ")
    }

    static let types: [any AreaHandler.Type] = [
        Monitoring.self, Dispatch.self, Maintenance.self, Journeys.self, Groups.self,
        Invitations.self, ShareLinks.self, Friends.self, Emergencies.self, Chat.self,
        Geofences.self, Places.self, Reminders.self, Notices.self, Channels.self, Vitals.self,
        History.self,
        Runs.self, Services.self, Cohorts.self, OwnTracks.self, Accounts.self,
    ]
}

/// What the bridge does in one area of the service. A requirement that an area has nothing to do
/// for is met by its default.
///
/// An area has another do something by ``areas``: `areas.chat.post(…)`.
protocol AreaHandler: AnyObject, SendableMetatype {
    associatedtype Content: AreaCommand = Never
    /// What the area keeps between turns.
    associatedtype State: AreaState = NoState

    var turn: Turn { get }

    /// Does what a person has asked for.
    ///
    /// - Returns: the result, an object; nil if a later turn answers.
    func perform(
        _ command: Content, by person: Person, on device: Device, _ asker: Requester
    ) throws(Refused) -> [UInt8]?

    /// Takes a message that is not one of those that every device sends: a fix, a status, a request.
    ///
    /// - Returns: whether it is this area's.
    func take(_ message: Message, _ topic: Topic) throws(StoreError) -> Bool

    /// Carries out what the core decided, as far as it concerns the area.
    ///
    /// - Parameter newFix: the fix that was just stored, for effects that refer to it.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws(StoreError)

    /// A device is new, or is used with another app than before.
    func noteApp(of device: Device, of person: Person, isNew: Bool)

    /// Shows the group what it may see of a new member.
    ///
    /// - Parameter adder: nil for the operator.
    func joined(_ member: Person, _ group: Group, by adder: Person?)

    /// Clears what the group sees of a member who leaves, or whose account is deleted; the member
    /// is still in it.
    ///
    /// - Parameter remover: the member, or whoever removes them; nil for the operator.
    func left(_ member: Person, _ group: Group, by remover: Person?) throws(Refused)

    /// Resumes what was held back because of the person's budget.
    func release(_ person: Person)

    /// Everything that was due at some time is due now: the clock was set.
    func rescheduleAll()

    /// Publishes the newest state of everything that changed in the turn.
    func finish(_ people: [Person]) throws(StoreError)

    /// Deletes a bounded part of what need not be kept any longer.
    ///
    /// - Returns: whether there may be more.
    func sweep(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool

    /// Takes the person out of everything that others see, when the account is deleted. The person
    /// is still known; their rows are erased by ``StoredTable``.
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws(Refused)

    /// What of the area a person gets with `account.export`, apart from the tables that say it
    /// themselves (`StoredTable.items`).
    var exported: [ExportSection] { get }

    /// The counters of the area, which exist from the start.
    static var counters: [String] { get }

    /// When a turn is to be taken for the area even if nobody sends anything.
    static func nextDue(_ memory: Memory) -> Timestamp?

    /// Whether something should be retained on the topic; nil if it is not the area's.
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool?

    /// What should be retained for a group, apart from the paths of its members.
    static func retained(in group: Group, _ memory: Memory, _ rules: Rules) -> [(
        topic: Topic, payload: [UInt8]
    )]

    /// What should be retained for a user, apart from what the user's groups see.
    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]

    /// Where something should be retained that is nobody's in particular, and what.
    static func retainedOfNobody(_ memory: Memory) -> [Topic]
    static func payload(on topic: Topic, _ memory: Memory) -> [UInt8]?
}

extension AreaHandler {
    func take(_ message: Message, _ topic: Topic) throws(StoreError) -> Bool { false }
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws(StoreError) {}
    func noteApp(of device: Device, of person: Person, isNew: Bool) {}
    func joined(_ member: Person, _ group: Group, by adder: Person?) {}
    func left(_ member: Person, _ group: Group, by remover: Person?) throws(Refused) {}
    func release(_ person: Person) {}
    func rescheduleAll() {}
    func finish(_ people: [Person]) throws(StoreError) {}
    func sweep(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool { false }
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws(Refused) {}
    var exported: [ExportSection] { [] }
    static var counters: [String] { [] }
    static func nextDue(_ memory: Memory) -> Timestamp? { nil }
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? { nil }
    static func retained(in group: Group, _ memory: Memory, _ rules: Rules) -> [(
        topic: Topic, payload: [UInt8]
    )] { [] }
    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    { [] }
    static func retainedOfNobody(_ memory: Memory) -> [Topic] { [] }
    static func payload(on topic: Topic, _ memory: Memory) -> [UInt8]? { nil }

    /// - Returns: nil if the command is another area's.
    func performIfOwn(
        _ command: any AreaCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws(Refused) -> [UInt8]?? {
        guard let command = command as? Content else { return nil }
        return .some(try perform(command, by: person, on: device, asker))
    }
}

extension AreaHandler where Content == Never {
    func perform(
        _ command: Never, by person: Person, on device: Device, _ asker: Requester
    ) -> [UInt8]? {}
}

/// What an area works with: the turn's context.
extension AreaHandler {
    var areas: Areas { turn.areas }

    var now: Timestamp { turn.now }
    var settings: BridgeSettings { turn.settings }
    var memory: Memory { turn.memory }
    var transaction: Transaction { turn.transaction }
    var topics: TopicSpace { turn.topics }
    var authentication: AuthenticationState { turn.authentication }

    var random: any RandomNumberGenerator {
        get { turn.random }
        set { turn.random = newValue }
    }

    func group(_ key: GroupKey, of person: Person) throws(Refused) -> Group {
        try turn.group(key, of: person)
    }
    func groups(_ selection: GroupSelection, of person: Person) throws(Refused) -> [Group] {
        try turn.groups(selection, of: person)
    }

    func count(_ name: String, _ amount: Int = 1) { turn.count(name, amount) }
    func note(_ pending: Person.Pending, _ person: Person) { turn.note(pending, person) }
    func noteUsage(_ kind: Usage.Kind, bytes: Int = 0, of person: Person) {
        turn.noteUsage(kind, bytes: bytes, of: person)
    }

    func publish(_ publication: Publication) { turn.publish(publication) }
    func send(_ topic: String, _ payload: [UInt8]) throws(StoreError) {
        try turn.send(topic, payload)
    }
    func retain(_ topic: Topic, _ payload: [UInt8], qos: QoS = .atLeastOnce) {
        turn.retain(topic, payload, qos: qos)
    }

    func stored<Value>(
        _ body: (Transaction) throws(StoreError) -> Value
    ) throws(Refused) -> Value { try turn.stored(body) }
    func decided<Value>(_ body: () throws(Refusal) -> Value) throws(Refused) -> Value {
        try turn.decided(body)
    }
    func done(_ effects: [Effect], for person: Person) throws(Refused) {
        try turn.done(effects, for: person)
    }
    func charge<Value>(
        _ budget: Budget?, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value { try turn.charge(budget, 0, body) }
}
