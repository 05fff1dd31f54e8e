import Contract
import Store
import Tracking

/// Places of people and groups, and notices about people who arrive, leave or are missing.
///
/// Notices are only about people who have agreed to that very rule, and only for readers who are
/// still related to them.
final class Geofences: AreaHandler {
    typealias State = GeofencesState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: GeofencesState

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    static let counters = ["geofence-rules", "geofence-rules-told"]

    func perform(
        _ command: GeofenceCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .create(let details, let group): return try create(details, group, person)
        case .update(let id, let details): return try update(id, details, person)
        case .delete(let id): try delete(id, person)
        case .list(let after): return list(after: after, person)
        case .addRule(let fence, let details): return try addRule(at: fence, details, person)
        case .listRules(let after): return try listRules(after: after, person)
        case .answer(let id, let agrees): try answer(id, agrees, person)
        case .endRule(let id): try endRule(id, person)
        }
        return Array("{}".utf8)
    }

    // MARK: Places

    private func create(_ details: OwnPlaceDetails, _ key: GroupKey?, _ person: Person)
        throws -> [UInt8]
    {
        let group = try key.map { try self.group($0, of: person) }
        let count =
            group.map { state.fencesOfGroup[$0.id]?.count ?? 0 }
            ?? state.fencesOfUser[person.id]?.count ?? 0
        guard count < BridgeSettings.maximumGeofences else {
            let limit = BridgeSettings.maximumGeofences
            throw Problem(.tooMany, "A user or a group may have at most \(limit) places.")
        }
        if let group {
            let own = (state.fencesOfGroup[group.id] ?? []).count {
                state.fences[$0]?.user == person.id
            }
            let limit = BridgeSettings.maximumGeofences / 2
            guard own < limit else {
                throw Problem(.tooMany, "A member may make at most \(limit) of a group's places.")
            }
        }
        guard let name = details.name, let centre = details.centre else { throw Problem.incomplete }
        let row = GeofenceRow(
            OwnPlace(
                id: newID(), name: name, kind: details.kind ?? .other,
                circle: Geofence(
                    centre: centre, radius: details.radius ?? OwnPlace.usualRadius)),
            of: person.id, group: group?.id)
        return try save(row, of: person)
    }

    private func update(_ id: UUIDv7, _ details: OwnPlaceDetails, _ person: Person)
        throws -> [UInt8]
    {
        var row = try changeable(id, by: person)
        let before = row.place
        row.place.name = details.name ?? before.name
        row.place.kind = details.kind ?? before.kind
        row.place.circle = Geofence(
            centre: details.centre ?? before.circle.centre,
            radius: details.radius ?? before.circle.radius)
        let saved = try save(row, of: person)
        try changed(row, from: before, by: person)
        return saved
    }

    func save(_ row: GeofenceRow, of person: Person) throws -> [UInt8] {
        try transaction.save(row)
        state.set(row)
        noteUsage(.changes, of: person)
        return OwnPlace.result.bytes(of: shown(row))
    }

    private func delete(_ id: UUIDv7, _ person: Person) throws {
        let row = try changeable(id, by: person, isDeleted: true)
        for rule in (state.rulesAt[id] ?? []).sorted() { try tellOfEnd(of: rule, by: person) }
        try remove(row.place.id)
    }

    func remove(_ id: UUIDv7) throws {
        try transaction.deleteGeofence(id)
        state.removeFence(id)
    }

    private func list(after: UUIDv7?, _ person: Person) -> [UInt8] {
        var ids = state.fencesOfUser[person.id] ?? []
        for membership in person.memberships {
            ids.formUnion(state.fencesOfGroup[membership.group.id] ?? [])
        }
        var page = ListPage()
        page.fill(look(through: ids).sorted(), after: after) { id, json in
            guard let row = self.state.fences[id] else { return }
            json.object(OwnPlace.payload, self.shown(row))
        }
        return page.result(OwnPlace.list)
    }

    private func shown(_ row: GeofenceRow) -> (place: OwnPlace, group: GroupKey?) {
        (row.place, row.group.flatMap { memory.groups[$0]?.key })
    }

    /// Returns a place that the person may use: their own, or one of their groups.
    private func known(_ id: UUIDv7, of person: Person) throws -> GeofenceRow {
        guard let row = state.fences[id], isTheirs(row, person) else {
            throw Problem(.unknownPlace, "You have no place with that identifier.")
        }
        return row
    }

    /// Returns a place that the person may change. While other members' rules depend on it, only
    /// its maker can change it: "School" must not be moved to a kiosk by the person who is expected
    /// at school. If only its maker's rules do, others may delete it, so that one member cannot use
    /// up a group's places.
    private func changeable(_ id: UUIDv7, by person: Person, isDeleted: Bool = false)
        throws -> GeofenceRow
    {
        let row = try known(id, of: person)
        guard row.user != person.id, let maker = row.user.flatMap({ memory.people[$0] }),
            isTheirs(row, maker),
            (state.rulesAt[id] ?? []).contains(where: {
                let user = state.rules[$0]?.user
                return user != person.id && !(isDeleted && user == row.user)
            })
        else { return row }
        throw Problem(
            .notAllowed,
            "Other members' rules depend on this place: only the member who made it can "
                + "change it.")
    }

    func isTheirs(_ row: GeofenceRow, _ person: Person) -> Bool {
        row.group.map { person.membership(in: $0) != nil } ?? (row.user == person.id)
    }

    /// Returns the place for reminders; nil if it is not the person's.
    func fence(_ id: UUIDv7, for person: Person) -> OwnPlace? {
        state.fences[id].flatMap { isTheirs($0, person) ? $0.place : nil }
    }

    func newID() -> UUIDv7 { UUIDv7(at: now, random: (random.next(), random.next())) }

    /// Resets presences when a pause begins or ends.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        if case .pauseChanged = effect { try forgetPresences(of: person) }
    }

    // MARK: Membership

    /// Asks new members about rules that now apply to them, and others about rules by which the new
    /// member is notified. Agreement from an earlier membership does not count.
    func joined(_ member: Person, _ group: Group, by adder: Person?) {
        let ofGroup = look(through: state.rulesOfGroup[group.id] ?? [])
        let asReader = look(through: state.rulesInvolving[member.id] ?? [])
        let ofOthers = member.memberships.flatMap { membership in
            look(through: state.rulesOfGroup[membership.group.id] ?? []).filter { id in
                guard case .user(let reader)? = state.rules[id]?.told else { return false }
                return memory.people[reader]?.membership(in: group.id) != nil
            }
        }
        let returned = ofGroup.filter { state.consents[$0]?[member.id] != nil }
        shake(
            ofGroup.union(asReader).union(ofOthers), .member(member.id, returned: returned),
            by: nil, payer: adder ?? member)
    }

    /// Queues the member's rules; they are still in the group, so the check takes place from the
    /// end of the turn on.
    func left(_ member: Person, _ group: Group, by remover: Person?) throws {
        shake(
            look(through: state.rulesInvolving[member.id] ?? []), .member(member.id),
            by: member, payer: remover)
        guard group.members.count == 1 else { return }
        for id in (state.fencesOfGroup[group.id] ?? []).sorted() {
            try remove(id)
        }
    }

    /// Queues rules of two people who may no longer be related.
    func noteEnd(of person: Person, with other: Person) {
        let (own, others) = (
            state.rulesInvolving[person.id] ?? [], state.rulesInvolving[other.id] ?? []
        )
        let (fewer, more) = own.count < others.count ? (own, others) : (others, own)
        shake(
            look(through: fewer).filter(more.contains), .pair(person.id, other.id), by: person,
            payer: person)
    }

    /// Queues rules of two people who may be related now: rules for one's group may notify the
    /// other about them.
    func noteBeginning(of person: Person, with other: Person) {
        for (watched, reader) in [(person, other), (other, person)] {
            let rules = look(through: state.rulesInvolving[reader.id] ?? []).filter { id in
                guard case .group(let group)? = state.rules[id]?.watched else { return false }
                return watched.membership(in: group) != nil
            }
            shake(rules, .pair(watched.id, reader.id), by: nil, payer: person)
        }
    }

    /// The people whose relation has begun or ended.
    private enum Change {
        /// A member and other members of a group.
        ///
        /// - Parameter returned: the rules to which the member agreed in an earlier membership.
        case member(UserID, returned: Set<UUIDv7> = [])
        case pair(UserID, UserID)
    }

    private func shake(_ rules: Set<UUIDv7>, _ change: Change, by person: Person?, payer: Person?) {
        for rule in rules.sorted() {
            var shaken = GeofencesState.Shaken(users: nil, by: person?.id, payer: payer?.id)
            switch change {
            case .member(let member, let returned):
                // The rule's maker and readers are related to all members of the group.
                let knows = state.rules[rule]?.people.contains(member) == true
                shaken.users = knows ? nil : [member]
                shaken.returned = returned.contains(rule) ? [member] : []
            case .pair(let one, let other): shaken.users = [one, other]
            }
            state.shake(rule, shaken)
        }
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        for id in (state.rulesInvolving[person.id] ?? []).sorted() {
            guard let row = state.rules[id] else { continue }
            if row.people.contains(person.id) {
                try tellOfEnd(of: id, by: person, isNamed: false)
                try removeRule(id)
            } else {
                state.removeConsent(of: person.id, to: id)
            }
        }
        for id in (state.fencesOfUser[person.id] ?? []).sorted() {
            try remove(id)
        }
        for row in state.fences.values where row.user == person.id {
            state.set(
                GeofenceRow(row.place, of: nil, group: row.group, source: row.source))
        }
        for fence in (state.presences[person.id] ?? [:]).keys {
            state.forgetPresence(of: person.id, at: fence)
        }
    }
}
