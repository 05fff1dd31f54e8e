import Contract
import DequeModule
import Store
import Tracking

/// All places of people and groups, the rules for them, and where people are who agreed to that.
final class GeofencesState: AreaState {
    private(set) var fences: [UUIDv7: GeofenceRow] = [:]
    private(set) var rules: [UUIDv7: GeofenceRuleRow] = [:]
    /// By rule: who was asked, or has agreed without.
    private(set) var consents: [UUIDv7: [UserID: GeofenceConsentRow]] = [:]
    /// Of each person, at which places fixes are looked at; and where the person is there.
    private(set) var presences: [UserID: [UUIDv7: GeofencePresence]] = [:]

    // What follows from these.
    private(set) var fencesOfUser: [UserID: Set<UUIDv7>] = [:]
    private(set) var fencesOfGroup: [GroupID: Set<UUIDv7>] = [:]
    private(set) var rulesAt: [UUIDv7: Set<UUIDv7>] = [:]
    /// Rules that a person has made, that are about them, or that tell them something.
    private(set) var rulesInvolving: [UserID: Set<UUIDv7>] = [:]
    private(set) var rulesOfGroup: [GroupID: Set<UUIDv7>] = [:]
    /// When the clock does something about a rule next, at the earliest.
    private(set) var nextDue: Timestamp?
    /// Arrivals by a single position that nothing has contradicted yet: of whom, at which place, and when
    /// each counts.
    private var settling: [Visit: Timestamp] = [:]
    /// The first of these times, or an earlier one.
    private(set) var nextSettling: Timestamp?
    /// Rules that were due when it was looked last, and are still to be judged.
    var toJudge: Deque<UUIDv7> = []
    /// Whether the clock may have been set back, and rules wait for a time that is far away now.
    var clockWasSet = false

    /// By rule, when it told something about each person last, since the start.
    var toldAt: [UUIDv7: [UserID: Timestamp]] = [:]
    /// Rules that may have lost their ground, and whose agreement may have. It is not stored: at the start
    /// all are looked at.
    var shaken = StepQueue<UUIDv7, Shaken>()

    struct Visit: Hashable {
        let user: UserID
        let fence: UUIDv7
    }

    typealias ShakenRule = (key: UUIDv7, work: Shaken)

    /// What has become of a rule's ground.
    struct Shaken {
        /// Who may have nothing to do with the others any more, or from now on; nil: anybody.
        var users: Set<UserID>?
        /// Whose agreement is from an earlier membership.
        var returned: Set<UserID> = []
        /// By whom a rule ends, and who pays for looking; nil: nobody.
        var by: UserID?
        var payer: UserID?
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
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

    /// To be called once everything that was due is done.
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

    /// Those who agree that others are told of them, in an order that does not change.
    func watched(by rule: UUIDv7) -> [UserID] {
        (consents[rule] ?? [:]).values.filter { $0.agrees == true }.map(\.user).sorted()
    }

    /// Those who had agreed before the place was moved, and have not answered since.
    func open(in rule: UUIDv7) -> [UserID] {
        (consents[rule] ?? [:]).values.filter { $0.agrees == nil && $0.answeredAt != nil }
            .map(\.user).sorted()
    }

    /// Whether somebody is watched at a place.
    func isWatched(_ user: UserID, at fence: UUIDv7) -> Bool {
        (rulesAt[fence] ?? []).contains { agrees(user, to: $0) }
    }

    // MARK: Who is where

    func set(_ presence: GeofencePresence, of user: UserID, at fence: UUIDv7) {
        presences[user, default: [:]][fence] = presence
        let settlesAt = presence.settlesAt
        settling[Visit(user: user, fence: fence)] = settlesAt
        if let settlesAt { nextSettling = min(nextSettling ?? settlesAt, settlesAt) }
    }

    /// Those that nothing has contradicted in time, the earliest first.
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
    /// Whom it names.
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
