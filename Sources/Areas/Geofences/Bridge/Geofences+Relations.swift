import Contract
import Store
import Tracking

/// Relations that permit notices.
extension Geofences {
    /// Whether the reader is related to the person: they share a group, or the reader is on the
    /// person's list of friends, and the person has not blocked the reader.
    func mayKnow(_ reader: Person, of person: Person) throws -> Bool {
        if reader === person { return true }
        if try transaction.hasBlocked(person.id, reader.id) { return false }
        if reader.sharesGroup(with: person) { return true }
        return try transaction.isFriend(reader.id, of: person.id)
    }

    /// Whether a reader other than the rule's maker may be notified: only about people they know,
    /// so that no one can be sent notices about a stranger at that stranger's wish.
    func mayBeTold(_ reader: Person, of person: Person) throws -> Bool {
        guard try mayKnow(reader, of: person) else { return false }
        if reader === person { return true }
        if reader.sharesGroup(with: person) { return true }
        return try transaction.isFriend(person.id, of: reader.id)
    }

    /// Ends rules and consents that have lost their basis after people left groups or friends, and
    /// asks people to whom a rule now applies: some in each turn. Rules still in the queue report
    /// no one without a basis, as each report checks for itself.
    func prune() throws {
        guard !turn.hasCallForHelp else { return }
        var rest = Geofences.prunedInTurn
        while rest > 0, let (id, shaken) = turn.decisions.prunes({ state.shaken.popFirst() }) {
            let payer = shaken.payer.flatMap { memory.people[$0] }
            rest -= try charge(payer?.budget) { try prune(id, shaken) }
        }
    }

    /// - Returns: the number of people checked, plus one for the rule.
    private func prune(_ id: UUIDv7, _ shaken: GeofencesState.Shaken) throws -> Int {
        guard let row = state.rules[id] else { return 1 }
        guard try hasGround(row) else {
            try tellOfEnd(of: id, by: shaken.by.flatMap { memory.people[$0] })
            try removeRule(id)
            return 1
        }
        let consents = state.consents[id] ?? [:]
        let users = shaken.users.map { $0.filter { consents[$0] != nil } } ?? Set(consents.keys)
        for user in users.sorted() {
            let isAbout = try isAbout(user, row)
            if !isAbout || shaken.returned.contains(user) { try endConsent(of: user, to: row) }
        }
        return 1 + users.count + (try askOthers(shaken.users, about: row))
    }

    func endConsent(of user: UserID, to row: GeofenceRuleRow) throws {
        try transaction.deleteGeofenceConsent(of: user, to: row.rule.id)
        state.removeConsent(of: user, to: row.rule.id)
        try endWatching(user, at: row.geofence)
    }

    /// The approximate number of rules and people checked per turn.
    private static let prunedInTurn = 50

    /// Whether its maker may still use the place and the groups, and be notified about the watched
    /// person.
    private func hasGround(_ row: GeofenceRuleRow) throws -> Bool {
        guard hasMeans(row) else { return false }
        guard case .user(let user) = row.watched else { return true }
        return try isAbout(user, row)
    }

    private func hasMeans(_ row: GeofenceRuleRow) -> Bool {
        guard let maker = memory.people[row.user], let fence = state.fences[row.geofence] else {
            return false
        }
        return isTheirs(fence, maker) && row.groups.allSatisfy { maker.membership(in: $0) != nil }
    }

    /// Whether the rule may currently report anything about that person.
    func mayReport(_ user: UserID, by row: GeofenceRuleRow) throws -> Bool {
        guard hasMeans(row) else { return false }
        return try isAbout(user, row)
    }

    /// Whether the people notified by the rule may know about that person.
    func isAbout(_ user: UserID, _ row: GeofenceRuleRow) throws -> Bool {
        guard let person = memory.people[user], let maker = memory.people[row.user],
            try mayKnow(maker, of: person)
        else { return false }
        if case .group(let group) = row.watched, person.membership(in: group) == nil {
            return false
        }
        switch row.told {
        case .maker: return true
        case .group(let group): return person.membership(in: group) != nil
        case .user(let reader):
            guard let reader = memory.people[reader] else { return false }
            return try mayBeTold(reader, of: person)
        }
    }
}
