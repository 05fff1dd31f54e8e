import Contract
import Languages
import MQTT
import Store
import Tracking

/// The areas of the service during a turn. A new area is a property here, made in `init`, and has
/// a place in ``all`` and in ``types``, which are compared.
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

    /// In call order: effects are carried out (alerts are sent before OwnTracks apps show them),
    /// the turn is finished (timed work, then paths before states, and both before the display in
    /// apps), accounts are erased (they leave their groups before apps show that) and exported.
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

/// The bridge's work in one area of the service. Requirements that an area does not need have
/// defaults.
///
/// An area calls another through ``areas``: `areas.chat.post(…)`.
protocol AreaHandler: AnyObject, SendableMetatype {
    associatedtype Content: AreaCommand = Never
    associatedtype GuestContent: AreaGuestCommand = Never
    associatedtype OperatorContent: AreaOperatorCommand = Never
    /// The area's state between turns.
    associatedtype State: AreaState = NoState

    var turn: Turn { get }

    /// Performs a person's request.
    ///
    /// - Returns: the result, an object; nil if a later turn answers.
    func perform(
        _ command: Content, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]?

    /// Performs the request of a client that is not logged in.
    ///
    /// - Returns: the result, an object; nil if a later turn answers.
    func perform(
        _ command: GuestContent, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]?

    /// Performs the operator's command.
    ///
    /// - Returns: the result, an object.
    func perform(_ command: OperatorContent) throws -> [UInt8]

    /// Handles a message other than those that every device sends: fixes, statuses and requests.
    ///
    /// - Returns: whether it belongs to this area.
    func take(_ message: Message, _ topic: Topic) throws -> Bool

    /// Handles the outcome of work that an earlier turn has requested.
    ///
    /// - Returns: whether it belongs to this area.
    func take(_ outcome: any WorkOutcome) throws -> Bool

    /// Handles that an earlier process may have ended before the outcomes of such work.
    func lostWork(_ kind: WorkKind) throws

    /// Carries out the core's decision as far as it concerns the area.
    ///
    /// - Parameter newFix: the fix that was just stored, for effects that refer to it.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws

    /// Handles a device that is new, or now uses a different app.
    func noteApp(of device: Device, of person: Person, isNew: Bool)

    /// Shows the group the data that it may see of a new member.
    ///
    /// - Parameter adder: nil for the operator.
    func joined(_ member: Person, _ group: Group, by adder: Person?) throws

    /// Clears the group's view of a member who leaves or whose account is deleted; the member is
    /// still in the group.
    ///
    /// - Parameter remover: the member, or the person who removes them; nil for the operator.
    func left(_ member: Person, _ group: Group, by remover: Person?) throws

    /// Handles that the member was removed from the group by another member or the operator.
    func removed(_ member: Person, from group: Group) throws

    // MARK: Events that the engine or an area reports to areas unknown to it

    /// Handles a fix that was just stored, before the core evaluates it. This and ``moved(to:of:)``
    /// are called for every fix: for most people, an area looks them up and does nothing.
    func stored(_ row: FixRow, of person: Person) throws

    /// Handles the person's new position: the newest of their fixes, after the core's decision on
    /// it was carried out.
    func moved(to fix: Fix, of person: Person) throws

    /// Evaluates a sample of vital signs.
    ///
    /// - Parameter isNew: whether it was just stored; any other may still be dangerous.
    func received(_ sample: VitalSigns, of person: Person, isNew: Bool) throws

    /// Handles that stored vital signs of a period were deleted.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    func vitalsDeleted(of person: Person, from: Timestamp?, to: Timestamp?) throws

    /// Handles that all vital signs were deleted, since the person does not want them stored.
    ///
    /// - Parameter hadConsented: whether the person had consented before.
    func vitalsEnded(of person: Person, hadConsented: Bool) throws

    /// Handles that an organisation's place has other opening hours, or was removed.
    func openingHoursChanged(of place: Name) throws

    /// Handles that the person has ended their SOS because they are safe.
    func sosStopped(by person: Person) throws

    /// Notifies a person about a member, in apps that show no notices.
    ///
    /// - Parameter place: any known position: the apps require one.
    func announce(_ phrase: Phrase, about member: Person, to viewer: Person, at place: Fix) throws

    /// Adds a notice for the person.
    func notify(_ person: Person, of news: Notice.News) throws

    /// Handles that dispatch has acknowledged or closed the call for the person.
    func assisted(_ person: Person) throws

    /// Handles that dispatch has not answered the call for the person.
    ///
    /// - Parameter fix: the person's position, as far as known.
    func unanswered(_ person: Person, at fix: Fix?) throws

    /// Handles that the person has proved to read mail to this address.
    func proved(_ address: String, of person: Person) throws

    /// Handles the outcome of a delivery to no channel.
    ///
    /// - Returns: whether it was the area's.
    func take(_ outcome: DeliveryOutcome) throws -> Bool

    /// Whether the person's account must stay operational although it is disabled.
    func needs(_ person: Person) -> Bool

    // MARK: Work by the clock

    /// Resumes work that was held back because of the person's budget.
    func release(_ person: Person)

    /// Makes everything due now, because the clock was set.
    func rescheduleAll()

    /// Publishes the newest state of everything that changed in the turn.
    func finish(_ people: [Person]) throws

    /// Deletes a bounded part of the expired data.
    ///
    /// - Returns: whether there may be more.
    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool

    /// Removes the person from everything that others see, when the account is deleted. The person
    /// is still known; ``StoredTable`` erases their rows.
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws

    /// The area's part of `account.export`, apart from tables that declare their own
    /// (`StoredTable.items`).
    var exported: [ExportSection] { get }

    /// Returns the workers for the area's ``Work``; threads are started when there is some.
    ///
    /// - Parameter database: its path.
    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker]

    /// The counters of the area, which exist from the start.
    static var counters: [String] { get }

    /// When the area needs a turn even without messages.
    static func nextDue(_ memory: Memory) -> Timestamp?

    /// Whether the topic should have a retained message; nil if it does not belong to the area.
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool?

    /// Messages to retain for a group, apart from its members' paths.
    static func retained(in group: Group, _ memory: Memory, _ rules: Rules) -> [(
        topic: Topic, payload: [UInt8]
    )]

    /// Messages to retain for a user, apart from those that the user's groups see.
    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]

    /// Topics with retained messages that belong to no user or group.
    static func retainedOfNobody(_ memory: Memory) -> [Topic]
    static func payload(on topic: Topic, _ memory: Memory) -> [UInt8]?
}

extension AreaHandler {
    func take(_ message: Message, _ topic: Topic) throws -> Bool { false }
    func take(_ outcome: any WorkOutcome) throws -> Bool { false }
    func lostWork(_ kind: WorkKind) throws {}
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {}
    func noteApp(of device: Device, of person: Person, isNew: Bool) {}
    func joined(_ member: Person, _ group: Group, by adder: Person?) throws {}
    func left(_ member: Person, _ group: Group, by remover: Person?) throws {}
    func removed(_ member: Person, from group: Group) throws {}
    func stored(_ row: FixRow, of person: Person) throws {}
    func moved(to fix: Fix, of person: Person) throws {}
    func received(_ sample: VitalSigns, of person: Person, isNew: Bool) throws {}
    func vitalsDeleted(of person: Person, from: Timestamp?, to: Timestamp?) throws {}
    func vitalsEnded(of person: Person, hadConsented: Bool) throws {}
    func openingHoursChanged(of place: Name) throws {}
    func sosStopped(by person: Person) throws {}
    func announce(_ phrase: Phrase, about member: Person, to viewer: Person, at place: Fix)
        throws
    {}
    func notify(_ person: Person, of news: Notice.News) throws {}
    func assisted(_ person: Person) throws {}
    func unanswered(_ person: Person, at fix: Fix?) throws {}
    func proved(_ address: String, of person: Person) throws {}
    func take(_ outcome: DeliveryOutcome) throws -> Bool { false }
    func needs(_ person: Person) -> Bool { false }
    func release(_ person: Person) {}
    func rescheduleAll() {}
    func finish(_ people: [Person]) throws {}
    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool { false }
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {}
    var exported: [ExportSection] { [] }
    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker] { [] }
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

    /// - Returns: nil if the command belongs to another area.
    func performIfOwn(
        _ command: any AreaCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]?? {
        guard let command = command as? Content else { return nil }
        return .some(try perform(command, by: person, on: device, asker))
    }

    /// - Returns: nil if the command belongs to another area.
    func performIfOwn(
        _ command: any AreaGuestCommand, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]?? {
        guard let command = command as? GuestContent else { return nil }
        return .some(try perform(command, from: source, asker))
    }

    /// - Returns: nil if the command belongs to another area.
    func performIfOwn(_ command: any AreaOperatorCommand) throws -> [UInt8]? {
        try (command as? OperatorContent).map { try perform($0) }
    }
}

extension AreaHandler where OperatorContent == Never {
    func perform(_ command: Never) -> [UInt8] {}
}

extension AreaHandler where GuestContent == Never {
    func perform(
        _ command: Never, from source: AttemptBook.Source, _ asker: Requester
    ) -> [UInt8]? {}
}

extension AreaHandler where Content == Never {
    func perform(
        _ command: Never, by person: Person, on device: Device, _ asker: Requester
    ) -> [UInt8]? {}
}

/// The turn's context, available to every area.
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

    func group(_ key: GroupKey, of person: Person) throws -> Group {
        try turn.group(key, of: person)
    }
    func groups(_ selection: GroupSelection, of person: Person) throws -> [Group] {
        try turn.groups(selection, of: person)
    }

    func count(_ name: String, _ amount: Int = 1) { turn.count(name, amount) }
    func note(_ pending: Person.Pending, _ person: Person) { turn.note(pending, person) }
    func noteUsage(_ kind: Usage.Kind, bytes: Int = 0, of person: Person) {
        turn.noteUsage(kind, bytes: bytes, of: person)
    }

    func publish(_ publication: Publication) { turn.publish(publication) }
    func send(_ topic: String, _ payload: [UInt8]) throws {
        try turn.send(topic, payload)
    }
    func retain(_ topic: Topic, _ payload: [UInt8], qos: QoS = .atLeastOnce) {
        turn.retain(topic, payload, qos: qos)
    }

    func charge<Value>(
        _ budget: Budget?, _ body: () throws -> Value
    ) throws -> Value { try turn.charge(budget, 0, body) }
}
