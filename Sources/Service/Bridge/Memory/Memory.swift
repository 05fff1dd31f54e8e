import Contract
import DequeModule
import Sealing
import Store
import Tracking

/// The hot path's data, kept in memory: the directory of users, devices and groups, and all users'
/// tracking. It is read from the store at the start, and again whenever a transaction fails: the
/// store is the source of truth.
final class Memory {
    private(set) var people: [UserID: Person] = [:]
    private(set) var groups: [GroupID: Group] = [:]
    private var peopleByName: [Name: Person] = [:]
    /// People by case-folded address.
    private var peopleByEmail: [String: Person] = [:]
    private var groupsByKey: [GroupKey: Group] = [:]

    var timers = TimerQueue()
    var lastFix: FixID
    /// Users whose saved trackers are behind, with the first fix missing from each; an entry is
    /// void once its fix is no longer its user's ``Person/firstUnsaved``.
    var behind: Deque<(fix: FixID, person: Person)> = []
    /// When the next part of the data of erased users and closed groups is to be deleted; nil if
    /// none is left.
    var nextErasure: Timestamp?
    /// Erased people who may be mentioned in stored answers to others that are still to be deleted.
    var mentions: [Mention] = []
    /// The sweep in progress.
    var sweep: Sweep?
    /// By how much the oldest fix exceeded its retention after the sweep's last step.
    var sweepLag = Duration.zero
    /// The newest rights change at the last sweep: by the next sweep, every gate knows of it.
    var lastSweptChange: Int64 = 0
    /// Requests that wait to be done.
    var line = WaitingRequests()
    /// People whose newest position has not been shown to some group.
    var heldBack: [UserID: Person] = [:]
    /// Opens messages sealed by the broker's plugin; nil if there are no keys.
    var opener: EnvelopeOpener?
    /// Nil until a client first reads a list in pages.
    var cursorKey: CursorKey?
    /// The budget that all guests share.
    let guests: Budget

    /// The areas' states between turns, by type.
    private var states: [ObjectIdentifier: any AreaState] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        let fairness = settings.fairness
        guests = Budget(fairness.guests, leastPace: fairness.leastPace)
        opener = settings.sealingKeys.map { EnvelopeOpener($0) }
        lastFix = try transaction.lastFix()
        for area in Areas.types {
            let state = try area.readState(transaction, settings)
            states[ObjectIdentifier(type(of: state))] = state
        }
        if try transaction.hasErasures() { nextErasure = Timestamp(milliseconds: 0) }
        mentions = try transaction.mentions().map { Mention($0.name, $0.displayName) }
        for row in try transaction.users() { add(Person(row, fairness)) }
        var owners: [DeviceID: Person] = [:]
        for row in try transaction.devices() {
            people[row.user]?.devices.append(Device(row))
            owners[row.id] = people[row.user]
        }
        for row in try transaction.groups() { add(Group(row)) }
        for (group, user) in try transaction.memberships() {
            if let group = groups[group], let person = people[user] {
                connect(person, group)
            }
        }
        for row in try transaction.observers() { groups[row.group]?.observers.append(row) }
        try restoreTrackers(transaction, owners, settings.rules)
        try transaction.waitingRequests { row, request in
            guard let person = owners[request.device],
                let device = person.devices.first(where: { $0.id == request.device })
            else { return }
            line.append(
                .init(row: row, method: request.method, size: request.size), of: person, device)
        }
    }

    /// Restores the saved trackers and replays the later fixes.
    private func restoreTrackers(
        _ transaction: Transaction, _ owners: [DeviceID: Person], _ rules: Rules
    ) throws {
        var through: [UserID: FixID] = [:]
        try transaction.trackers { saved, fix in
            guard let person = people[saved.tracker.user] else { return }
            person.tracker = saved.tracker
            person.usage = saved.usage ?? Usage()
            for log in saved.logs {
                person.devices.first { $0.id == log.device }?.log = log
            }
            through[person.id] = fix
        }
        let start = FixID(rawValue: max(0, lastFix.rawValue - Memory.longestReplay))
        try transaction.fixes(after: start) { row in
            guard let person = owners[row.device],
                let device = person.devices.first(where: { $0.id == row.device }),
                row.id > through[person.id] ?? FixID(rawValue: 0)
            else { return }
            _ = device.log.note(row.fix, as: row.id)
            _ = person.usage.note(.fixes, at: row.fix.receivedAt)
            if let sequence = row.fix.sequence {
                device.log.receipts.note(sequence, isNew: true, at: row.fix.receivedAt)
            }
            if !row.isForgotten {
                _ = person.tracker.receive(
                    row.fix, from: row.device, at: row.fix.receivedAt, rules)
            }
            noteUnsaved(person, row.id)
        }
    }

    /// Groups and people reference each other: without this, memory discarded after a failed turn
    /// would leak.
    deinit {
        for group in groups.values { group.members = [] }
    }

    /// When the next step of the sweep is due; nil if none is in progress.
    var nextSweep: Timestamp? { sweep?.next }

    /// Defers showing these people's newest positions. It is not known what each group has seen of
    /// them, so all of it is shown.
    func holdBack(_ users: [UserID]) {
        for person in users.compactMap({ people[$0] }) {
            for index in person.memberships.indices { person.memberships[index].isHeldBack = true }
            person.isTailHeldBack = true
            heldBack[person.id] = person
        }
    }

    /// Carries over state that is not stored, after a turn has failed and this was read again.
    func takeOver(_ old: Memory) { states.takeOver(old.states) }

    // MARK: Looking up

    /// An area's state; see `AreaHandler.State`.
    func state<State: AreaState>(_ type: State.Type) -> State {
        guard let state = states[ObjectIdentifier(type)] as? State else {
            preconditionFailure("\(type) is no area's state")
        }
        return state
    }

    /// Returns the person; nil for companies and services, which people do not see as users.
    func person(_ name: Name) -> Person? { account(name).flatMap { $0.kind == .person ? $0 : nil } }
    func person(email: String) -> Person? {
        account(email: email).flatMap { $0.kind == .person ? $0 : nil }
    }

    func account(_ name: Name) -> Person? { peopleByName[name] }
    func account(email: String) -> Person? { peopleByEmail[EmailAddress.folded(email)] }

    func group(_ key: GroupKey) -> Group? { groupsByKey[key] }

    // MARK: Changing the directory

    func add(_ person: Person) {
        people[person.id] = person
        peopleByName[person.name] = person
        if let email = person.email { peopleByEmail[EmailAddress.folded(email)] = person }
    }

    func remove(_ person: Person) {
        people[person.id] = nil
        peopleByName[person.name] = nil
        if let email = person.email { peopleByEmail[EmailAddress.folded(email)] = nil }
    }

    func setEmail(_ email: String?, of person: Person) {
        if let old = person.email { peopleByEmail[EmailAddress.folded(old)] = nil }
        person.email = email
        if let email { peopleByEmail[EmailAddress.folded(email)] = person }
    }

    func add(_ group: Group) {
        groups[group.id] = group
        groupsByKey[group.key] = group
    }

    func remove(_ group: Group) {
        groups[group.id] = nil
        groupsByKey[group.key] = nil
    }

    func connect(_ person: Person, _ group: Group) {
        group.members.append(person)
        person.memberships.append(.init(group: group))
    }

    func disconnect(_ person: Person, _ group: Group) {
        group.members.removeAll { $0 === person }
        person.memberships.removeAll { $0.group === group }
    }

    // MARK: Saving trackers

    /// A tracker is saved when this many fixes are missing from it …
    static let mostUnsavedFixes = DeviceLog.chunkLength
    /// … or when this many fixes of all users were received since, so that no start has to replay
    /// more.
    static let longestReplay: Int64 = 500_000

    func noteUnsaved(_ person: Person, _ fix: FixID) {
        person.unsavedFixes += 1
        guard person.firstUnsaved == nil else { return }
        person.firstUnsaved = fix
        behind.append((fix, person))
    }

    /// Takes the users whose trackers must be saved now to keep the next start short.
    func takeFarBehind() -> [Person] {
        // Half the bound, so that a turn's additions never reach it.
        takeBehind(before: FixID(rawValue: lastFix.rawValue - Memory.longestReplay / 2))
    }

    /// Takes the users whose saved trackers lack some fix before this one.
    func takeBehind(before fix: FixID) -> [Person] {
        var found: [Person] = []
        while let first = behind.first,
            first.fix < fix || first.person.firstUnsaved != first.fix
        {
            behind.removeFirst()
            if first.person.firstUnsaved == first.fix { found.append(first.person) }
        }
        return found
    }
}
