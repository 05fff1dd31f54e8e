import Contract
import Store
import Tracking

/// Lists of rules.
extension Geofences {
    func listRules(after: UUIDv7?, _ person: Person) throws -> [UInt8] {
        var ids = state.rulesInvolving[person.id] ?? []
        for membership in person.memberships {
            ids.formUnion(state.rulesOfGroup[membership.group.id] ?? [])
        }
        let concerned = look(through: ids).sorted().filter { id in
            state.rules[id].map { isInvolved(person, in: $0) } ?? false
        }
        var page = ListPage()
        page.fill(concerned, after: after) { id, json in
            guard let row = self.state.rules[id] else { return }
            json.object(GeofenceRuleMessage.payload, self.message(row, for: person))
        }
        return page.result(GeofenceRuleMessage.list)
    }

    /// The number of group members' answers listed, so that a rule stays short.
    private static let consentsListed = 40

    func message(_ row: GeofenceRuleRow, for person: Person) -> GeofenceRuleMessage {
        guard let place = state.fences[row.geofence]?.place else {
            preconditionFailure("a rule goes with its place")
        }
        let watched: GeofenceRuleMessage.Party? =
            switch row.watched {
            case .user(let user): memory.people[user].map { .user($0.name) }
            case .group(let group): memory.groups[group].map { .group($0.key) }
            }
        let maker = memory.people[row.user]
        let told: GeofenceRuleMessage.Party? =
            switch row.told {
            case .maker: maker.map { .user($0.name) }
            case .user(let user): memory.people[user].map { .user($0.name) }
            case .group(let group): memory.groups[group].map { .group($0.key) }
            }
        // Other users' answers concern only the maker.
        let consents = (state.consents[row.rule.id] ?? [:]).values.sorted { $0.user < $1.user }
            .filter { $0.user == person.id || row.user == person.id }
            .prefix(Geofences.consentsListed)
            .compactMap { consent in
                memory.people[consent.user].map { (user: $0.name, agrees: consent.agrees) }
            }
        return GeofenceRuleMessage(
            row.rule, at: place, by: maker.map { (user: $0.name, name: $0.displayName) },
            watched: watched, told: told, consents: consents,
            isToConfirm: row.known != nil && row.user == person.id)
    }
}
