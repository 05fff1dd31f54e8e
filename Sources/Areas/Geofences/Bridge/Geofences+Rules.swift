import Contract
import Store
import Tracking

/// Making rules.
extension Geofences {
    // MARK: Creation

    func addRule(at fence: UUIDv7, _ details: GeofenceRuleDetails, _ person: Person)
        throws -> [UInt8]
    {
        guard let place = state.fences[fence], isTheirs(place, person) else {
            throw Problem(.unknownPlace, "You have no place with that identifier.")
        }
        if let hours = details.hours, ZoneClock(hours.timeZone) == nil {
            let reason = "is not a time zone name"
            throw Problem(invalid: [.init(field: "timeZone", reason: reason)])
        }
        let watched = try watched(details.watched, person)
        let told = try told(details.told, person)
        let rule = GeofenceRule(
            id: newID(), event: details.event, hours: details.hours, isOnce: details.isOnce)
        let row = GeofenceRuleRow(
            rule, of: person.id, at: fence, watched: watched, told: told,
            dueAt: Geofences.nextDue(of: rule, after: now))
        for user in self.watched(by: row) { try checkRelation(row, to: user) }
        try checkBounds(row)
        try transaction.save(row)
        state.set(row)
        count("geofence-rules")
        noteUsage(.changes, of: person)
        _ = try askOthers(about: row)
        return GeofenceRuleMessage.result.bytes(of: message(row, for: person))
    }

    private func watched(_ watched: GeofenceRuleDetails.Watched, _ person: Person)
        throws -> GeofenceRuleRow.Watched
    {
        switch watched {
        case .user(let name):
            // The same whether there is such a user or not.
            guard let user = memory.person(name),
                try mayKnow(person, of: user)
            else { throw Geofences.stranger }
            return .user(user.id)
        case .group(let key):
            let group = try group(key, of: person)
            guard group.members.count <= BridgeSettings.maximumToldOfPlaces else {
                let limit = BridgeSettings.maximumToldOfPlaces
                throw Problem(.tooMany, "A group of more than \(limit) cannot be watched.")
            }
            return .group(group.id)
        }
    }

    private func told(_ told: GeofenceRuleDetails.Told, _ person: Person)
        throws -> GeofenceRuleRow.Told
    {
        switch told {
        case .me: return .maker
        case .user(let name):
            guard let user = memory.person(name) else { throw Geofences.stranger }
            return user === person ? .maker : .user(user.id)
        case .group(let key):
            let group = try group(key, of: person)
            guard group.members.count <= BridgeSettings.maximumToldOfPlaces else {
                let limit = BridgeSettings.maximumToldOfPlaces
                throw Problem(.tooMany, "A group of more than \(limit) cannot be notified.")
            }
            return .group(group.id)
        }
    }

    private static let stranger = Problem(
        .notAllowed,
        "Only users who share a group with a person, or are on their list of friends, can be "
            + "notified about them.")

    /// Checks the limits. A maker cannot use up other makers' shares, and a refused rule counts
    /// only for its maker.
    private func checkBounds(_ row: GeofenceRuleRow) throws {
        let limit = BridgeSettings.maximumGeofenceRules
        try check(state.rulesInvolving[row.user], atMost: limit, "A user may make at most") {
            $0.user == row.user
        }
        for user in Set(row.people) where user != row.user {
            let pair = BridgeSettings.maximumRulesOfPair
            try check(
                state.rulesInvolving[user], atMost: pair,
                "A user may make about one other user at most"
            ) { $0.user == row.user && $0.people.contains(user) }
            try check(
                state.rulesInvolving[user], atMost: limit,
                "Not counting refused ones, others may make about or for a user at most"
            ) {
                $0.user != user && $0.people.contains(user)
                    && self.state.consents[$0.rule.id]?[user]?.agrees != false
            }
        }
        try checkShares(
            state.rulesAt[row.geofence], of: row.user,
            atMost: BridgeSettings.maximumRulesAtPlace, "A place may have at most")
        for group in Set(row.groups) {
            try checkShares(
                state.rulesOfGroup[group], of: row.user, atMost: limit,
                "A group may be in at most")
        }
        if row.rule.event.isTimed, case .group = row.watched, case .group = row.told {
            let reason = "must be a person if everyone in a group is to be there"
            throw Problem(invalid: [.init(field: "tell", reason: reason)])
        }
    }

    /// - Parameter limit: for all makers; a single one may use a fifth of it.
    private func checkShares(
        _ rules: Set<UUIDv7>?, of maker: UserID, atMost limit: Int, _ words: String
    ) throws {
        try check(rules, atMost: limit, words) { _ in true }
        try check(rules, atMost: limit / 5, words) { $0.user == maker }
    }

    private func check(
        _ rules: Set<UUIDv7>?, atMost limit: Int, _ words: String,
        counting counts: (GeofenceRuleRow) -> Bool
    ) throws {
        let count = (rules ?? []).count { state.rules[$0].map(counts) ?? false }
        guard count < limit else {
            throw Problem(.tooMany, "\(words) \(limit) rules about places.")
        }
    }

    private func checkRelation(_ row: GeofenceRuleRow, to user: UserID) throws {
        guard let watched = memory.people[user] else { return }
        let isAllowed =
            switch row.told {
            case .maker: true
            case .user(let reader):
                try memory.people[reader].map { try mayBeTold($0, of: watched) } ?? false
            case .group(let group): watched.membership(in: group) != nil
            }
        // Group members to whom it does not apply are not asked.
        guard case .user = row.watched, !isAllowed else { return }
        throw Geofences.stranger
    }

    /// Returns the people whom the rule watches, if they agree.
    func watched(by row: GeofenceRuleRow) -> [UserID] {
        switch row.watched {
        case .user(let user): [user]
        case .group(let group): memory.groups[group]?.members.map(\.id) ?? []
        }
    }
}
