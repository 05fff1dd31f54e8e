import Contract
import DequeModule
import Store
import Tracking

/// All places of people and groups, their rules, and the presences of people who agreed to them.
final class GeofencesState: AreaState {
    private(set) var fences: [UUIDv7: GeofenceRow] = [:]
    private(set) var rules: [UUIDv7: GeofenceRuleRow] = [:]
    /// The people who were asked, or agreed without being asked, by rule.
    private(set) var consents: [UUIDv7: [UserID: GeofenceConsentRow]] = [:]
    /// The presence by person and place, tracked only where it is needed.
    private(set) var presences: [UserID: [UUIDv7: GeofencePresence]] = [:]

    // Derived from these.
    private(set) var fencesOfUser: [UserID: Set<UUIDv7>] = [:]
    private(set) var fencesOfGroup: [GroupID: Set<UUIDv7>] = [:]
    private(set) var rulesAt: [UUIDv7: Set<UUIDv7>] = [:]
    /// The rules that a person made, that are about them, or that notify them.
    private(set) var rulesInvolving: [UserID: Set<UUIDv7>] = [:]
    private(set) var rulesOfGroup: [GroupID: Set<UUIDv7>] = [:]
    /// The earliest time at which a rule may be due.
    private(set) var nextDue: Timestamp?
    /// Arrivals by a single uncontradicted position, with the times at which they count.
    private var settling: [Visit: Timestamp] = [:]
    /// The first of these times, or an earlier one.
    private(set) var nextSettling: Timestamp?
    /// Rules found to be due and still to be judged.
    var toJudge: Deque<UUIDv7> = []
    /// Whether the clock may have been set back, so that rules may wait for a distant time.
    var clockWasSet = false

    /// The last notice since the start, by rule and person.
    var toldAt: [UUIDv7: [UserID: Timestamp]] = [:]
    /// Rules whose basis or consents have to be checked. The queue is not stored: at the start all
    /// rules are checked.
    var shaken = StepQueue<UUIDv7, Shaken>()

    struct Visit: Hashable {
        let user: UserID
        let fence: UUIDv7
    }

    typealias ShakenRule = (key: UUIDv7, work: Shaken)

    /// A queued check of a rule.
    struct Shaken {
        /// The people whose relations may have changed; nil for all.
        var users: Set<UserID>?
        /// The people whose consent is from an earlier membership.
        var returned: Set<UserID> = []
        /// The person by whose action the rule ends, followed by the payer of the check; nil if no
        /// one.
        var by: UserID?
        var payer: UserID?
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for row in try transaction.geofences() { set(row) }
        for row in try transaction.geofenceRules() where fences[row.geofence] != nil { set(row) }
        for row in try transaction.geofenceConsents() where rules[row.rule] != nil { set(row) }
        for (fence, user, presence) in try transaction.geofencePresences()
        where fences[fence] != nil {
            set(presence, of: user, at: fence)
        }
        for rule in rules.keys.sorted() { shake(rule, Shaken(users: nil, by: nil, payer: nil)) }
    }

    func shake(_ rule: UUIDv7, _ shaken: Shaken) {
        self.shaken.add(rule, shaken) { waiting, new in
            var both = waiting
            both.users = waiting.users.flatMap { users in new.users.map { users.union($0) } }
            both.returned.formUnion(new.returned)
            both.by = waiting.by ?? new.by
            both.payer = waiting.payer ?? new.payer
            return both
        }
    }

    // MARK: Places

    func set(_ row: GeofenceRow) {
        fences[row.place.id] = row
        if let group = row.group {
            fencesOfGroup[group, default: []].insert(row.place.id)
        } else if let user = row.user {
            fencesOfUser[user, default: []].insert(row.place.id)
        }
    }

    func removeFence(_ id: UUIDv7) {
        let watched = (rulesAt[id] ?? []).flatMap { (consents[$0] ?? [:]).keys }
        for rule in rulesAt[id] ?? [] { removeRule(rule) }
        guard let row = fences.removeValue(forKey: id) else { return }
        if let group = row.group { fencesOfGroup.remove(id, of: group) }
        if let user = row.user { fencesOfUser.remove(id, of: user) }
        for user in watched { forgetPresence(of: user, at: id) }
    }

    // MARK: Rules

    func set(_ row: GeofenceRuleRow) {
        let id = row.rule.id
        rules[id] = row
        rulesAt[row.geofence, default: []].insert(id)
        for user in row.people { rulesInvolving[user, default: []].insert(id) }
        for group in row.groups { rulesOfGroup[group, default: []].insert(id) }
        if let due = row.dueAt { nextDue = min(nextDue ?? due, due) }
    }

    func removeRule(_ id: UUIDv7) {
        guard let row = rules.removeValue(forKey: id) else { return }
        rulesAt.remove(id, of: row.geofence)
        for user in Set(row.people).union((consents[id] ?? [:]).keys) {
            rulesInvolving.remove(id, of: user)
        }
        for group in row.groups { rulesOfGroup.remove(id, of: group) }
        consents[id] = nil
        toldAt[id] = nil
    }

    /// Recomputes the next time; to be called once everything that was due is done.
    func reschedule() { nextDue = rules.values.compactMap(\.dueAt).min() }

    // MARK: Consents

    func set(_ row: GeofenceConsentRow) {
        consents[row.rule, default: [:]][row.user] = row
        rulesInvolving[row.user, default: []].insert(row.rule)
    }

    func removeConsent(of user: UserID, to rule: UUIDv7) {
        consents[rule]?[user] = nil
        if let row = rules[rule], !row.people.contains(user) {
            rulesInvolving.remove(rule, of: user)
        }
    }

    func agrees(_ user: UserID, to rule: UUIDv7) -> Bool {
        consents[rule]?[user]?.agrees == true
    }

    /// Returns the people who agree to be watched, in a stable order.
    func watched(by rule: UUIDv7) -> [UserID] {
        (consents[rule] ?? [:]).values.filter { $0.agrees == true }.map(\.user).sorted()
    }

    /// Returns the people who had agreed before the place was moved, and have not answered since.
    func open(in rule: UUIDv7) -> [UserID] {
        (consents[rule] ?? [:]).values.filter { $0.agrees == nil && $0.answeredAt != nil }
            .map(\.user).sorted()
    }

    /// Whether the user is watched at the place.
    func isWatched(_ user: UserID, at fence: UUIDv7) -> Bool {
        (rulesAt[fence] ?? []).contains { agrees(user, to: $0) }
    }

    // MARK: Presences

    func set(_ presence: GeofencePresence, of user: UserID, at fence: UUIDv7) {
        presences[user, default: [:]][fence] = presence
        let settlesAt = presence.settlesAt
        settling[Visit(user: user, fence: fence)] = settlesAt
        if let settlesAt { nextSettling = min(nextSettling ?? settlesAt, settlesAt) }
    }

    /// Returns arrivals that no position has contradicted in time, the earliest first.
    func settled(by now: Timestamp, atMost limit: Int) -> [Visit] {
        guard let nextSettling, nextSettling <= now else { return [] }
        let due = settling.filter { $0.value <= now }.sorted {
            ($0.value, $0.key.user, $0.key.fence) < ($1.value, $1.key.user, $1.key.fence)
        }
        if due.count <= limit {
            self.nextSettling = settling.values.filter { $0 > now }.min()
        }
        return due.prefix(limit).map(\.key)
    }

    func forgetPresence(of user: UserID, at fence: UUIDv7) {
        settling[Visit(user: user, fence: fence)] = nil
        presences[user]?[fence] = nil
        if presences[user]?.isEmpty == true { presences[user] = nil }
    }
}

extension GeofenceRuleRow {
    /// The people whom it names.
    var people: [UserID] {
        var people = [user]
        if case .user(let user) = watched { people.append(user) }
        if case .user(let user) = told { people.append(user) }
        return people
    }

    var groups: [GroupID] {
        var groups: [GroupID] = []
        if case .group(let group) = watched { groups.append(group) }
        if case .group(let group) = told { groups.append(group) }
        return groups
    }
}

extension Dictionary where Value == Set<UUIDv7> {
    fileprivate mutating func remove(_ id: UUIDv7, of key: Key) {
        self[key]?.remove(id)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
