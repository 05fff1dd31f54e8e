import Contract
import Store
import Tracking

/// Asking for consent, answering, and ending rules.
extension Geofences {
    /// Asks a user about a new rule. The maker of a rule about themselves has agreed.
    func ask(_ user: UserID, about row: GeofenceRuleRow, at place: OwnPlace) throws {
        guard let maker = memory.people[row.user], let watched = memory.people[user] else { return }
        let isOwn = user == row.user
        try set(
            GeofenceConsentRow(
                rule: row.rule.id, user: user, agrees: isOwn ? true : nil,
                answeredAt: isOwn ? now : nil))
        if isOwn { return try beginWatching(watched, at: row.geofence) }
        try tell(watched, .placeRule(row.rule.id, place: place.name, .asked), of: maker)
    }

    /// Asks people to whom the rule applies, and who were not asked.
    ///
    /// - Parameter users: nil for all whom the rule watches.
    /// - Returns: the number of people checked.
    func askOthers(_ users: Set<UserID>? = nil, about row: GeofenceRuleRow) throws -> Int {
        guard let place = state.fences[row.geofence]?.place else { return 0 }
        let known = state.consents[row.rule.id] ?? [:]
        let others = watched(by: row).filter { known[$0] == nil && users?.contains($0) ?? true }
        for user in others where try isAbout(user, row) { try ask(user, about: row, at: place) }
        return others.count
    }

    // MARK: Answering and ending

    func answer(_ id: UUIDv7, _ agrees: Bool, _ person: Person) throws {
        guard var row = state.rules[id] else { throw Geofences.unknownRule }
        let consent = state.consents[id]?[person.id]
        let isToConfirm = row.user == person.id && row.known != nil
        guard isToConfirm || consent != nil else { throw Geofences.unknownRule }
        if isToConfirm {
            guard agrees else { return try endRule(id, person) }
            row.known = nil
            try transaction.save(row)
            state.set(row)
            noteUsage(.changes, of: person)
        }
        guard let consent, consent.agrees != agrees else { return }
        try note(agrees, of: person, to: row)
        noteUsage(.changes, of: person)
    }

    /// Records the answer, and notifies the rule's maker.
    private func note(_ agrees: Bool, of person: Person, to row: GeofenceRuleRow) throws {
        try set(
            GeofenceConsentRow(
                rule: row.rule.id, user: person.id, agrees: agrees, answeredAt: now))
        if agrees {
            try beginWatching(person, at: row.geofence)
        } else {
            try endWatching(person.id, at: row.geofence)
        }
        guard let maker = memory.people[row.user], maker !== person,
            let place = state.fences[row.geofence]?.place
        else { return }
        let change: Notice.RuleChange = agrees ? .agreed : .refused
        try tell(maker, .placeRule(row.rule.id, place: place.name, change), of: person)
    }

    /// Withdraws the person's consent to all rules, and notifies the users who relied on it.
    func endConsents(of person: Person) throws {
        for id in (state.rulesInvolving[person.id] ?? []).sorted()
        where state.agrees(person.id, to: id) {
            guard let row = state.rules[id] else { continue }
            try note(false, of: person, to: row)
        }
    }

    /// Ends a rule: its maker and its only reader end it for all, watched people only for
    /// themselves.
    func endRule(_ id: UUIDv7, _ person: Person) throws {
        guard let row = state.rules[id], isInvolved(person, in: row) else {
            throw Geofences.unknownRule
        }
        let isReader = if case .user(person.id) = row.told { true } else { false }
        guard row.user != person.id, !isReader else {
            try tellOfEnd(of: id, by: person)
            return try removeRule(id)
        }
        try answer(id, false, person)
    }

    /// Notifies the rule's maker and reader that it ends.
    ///
    /// - Parameters:
    ///   - person: ends the rule, and so is not notified; nil if no one does.
    ///   - isNamed: whether the notice names the person.
    func tellOfEnd(of id: UUIDv7, by person: Person?, isNamed: Bool = true) throws {
        guard let row = state.rules[id], let place = state.fences[row.geofence]?.place else {
            return
        }
        var readers = [row.user]
        if case .user(let user) = row.told { readers.append(user) }
        for reader in readers.compactMap({ memory.people[$0] }) where reader !== person {
            // The rate is limited already: a user's rules end no more often than the user makes
            // them.
            try tell(
                reader, .placeRule(id, place: place.name, .ended), of: isNamed ? person : nil,
                pace: reader.id == row.user ? .unlimited : nil)
        }
    }

    func removeRule(_ id: UUIDv7) throws {
        guard let row = state.rules[id] else { return }
        let users = (state.consents[id] ?? [:]).keys.sorted()
        try transaction.deleteGeofenceRule(id)
        state.removeRule(id)
        for user in users { try endWatching(user, at: row.geofence) }
    }

    private static let unknownRule = Problem(
        .unknownRule, "There is no rule with that identifier for you.")

    func isInvolved(_ person: Person, in row: GeofenceRuleRow) -> Bool {
        if row.people.contains(person.id) || state.consents[row.rule.id]?[person.id] != nil {
            return true
        }
        if case .group(let group) = row.told { return person.membership(in: group) != nil }
        return false
    }

    func set(_ consent: GeofenceConsentRow) throws {
        try transaction.save(consent)
        state.set(consent)
    }
}
