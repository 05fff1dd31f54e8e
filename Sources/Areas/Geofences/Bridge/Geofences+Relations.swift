import Contract
import Store
import Tracking

/// Who may know of whom.
extension Geofences {
    /// Whether somebody has to do with a person: they share a group, or are on the person's list of
    /// friends, and the person has not blocked them.
    func mayKnow(_ reader: Person, of person: Person) throws(StoreError) -> Bool {
        if reader === person { return true }
        if try transaction.hasBlocked(person.id, reader.id) { return false }
        if reader.sharesGroup(with: person) { return true }
        return try transaction.friend(reader.id, of: person.id) != nil
    }

    /// Whether somebody who has not made the rule can be told: nobody is told of people whom they do not
    /// know because those like it so.
    func mayBeTold(_ reader: Person, of person: Person) throws(StoreError) -> Bool {
        guard try mayKnow(reader, of: person) else { return false }
        if reader === person { return true }
        if reader.sharesGroup(with: person) { return true }
        return try transaction.friend(person.id, of: reader.id) != nil
    }

    /// At the end of a turn in which people left groups or friends: rules that have lost their ground
    /// end.
    func prune() throws(StoreError) {
        let left = state.left.sorted()
        state.left = []
        for person in left.compactMap({ memory.people[$0] }) {
            for id in (state.rulesInvolving[person.id] ?? []).sorted() {
                guard let row = state.rules[id] else { continue }
                guard try hasGround(row) else {
                    try tellOfEnd(of: id, by: person)
                    try removeRule(id)
                    continue
                }
                guard state.consents[id]?[person.id] != nil, try !isAbout(person.id, row) else {
                    continue
                }
                try transaction.deleteGeofenceConsent(of: person.id, to: id)
                state.removeConsent(of: person.id, to: id)
                try endWatching(person.id, at: row.geofence)
            }
        }
    }

    /// Whether its maker may still use the place and the groups, and know of whom it is about.
    private func hasGround(_ row: GeofenceRuleRow) throws(StoreError) -> Bool {
        guard let maker = memory.people[row.user], let fence = state.fences[row.geofence],
            isTheirs(fence, maker),
            row.groups.allSatisfy({ maker.membership(in: $0) != nil })
        else { return false }
        guard case .user(let user) = row.watched else { return true }
        return try isAbout(user, row)
    }

    /// Whether the rule may tell anybody something about that person.
    func isAbout(_ user: UserID, _ row: GeofenceRuleRow) throws(StoreError) -> Bool {
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
