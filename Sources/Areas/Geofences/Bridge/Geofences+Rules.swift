import Contract
import JSON
import Store
import Tracking

/// Who wants to be told of whom, and who agrees to that.
extension Geofences {
    // MARK: Making a rule

    func addRule(at fence: UUIDv7, _ details: GeofenceRuleDetails, _ person: Person)
        throws(Refused) -> [UInt8]
    {
        guard let place = state.fences[fence], isTheirs(place, person) else {
            throw .problem(Problem(.unknownPlace, "You have no place with that identifier."))
        }
        if let hours = details.hours, ZoneClock(hours.timeZone) == nil {
            let reason = "is not the name of a time zone"
            throw .problem(Problem(invalid: [.init(field: "timeZone", reason: reason)]))
        }
        let watched = try watched(details.watched, person)
        let told = try told(details.told, person)
        let rule = GeofenceRule(
            id: newID(), event: details.event, hours: details.hours, isOnce: details.isOnce)
        let row = GeofenceRuleRow(
            rule, of: person.id, at: fence, watched: watched, told: told,
            dueAt: Geofences.nextDue(of: rule, after: now))
        for user in asked(by: row) { try checkRelation(row, to: user) }
        try checkBounds(row)
        try stored { transaction throws(StoreError) in try transaction.save(row) }
        state.set(row)
        count("geofence-rules")
        noteUsage(.changes, of: person)
        try stored { _ throws(StoreError) in
            for user in asked(by: row) { try ask(user, about: row, at: place.place) }
        }
        return JSONWriter.object { json in
            json.key("rule")
            json.raw(message(row, for: person))
        }
    }

    private func watched(_ watched: GeofenceRuleDetails.Watched, _ person: Person)
        throws(Refused) -> GeofenceRuleRow.Watched
    {
        switch watched {
        case .user(let name):
            // The same whether there is such a user or not.
            guard let user = memory.person(name),
                try stored({ _ throws(StoreError) in try mayKnow(person, of: user) })
            else { throw Geofences.stranger }
            return .user(user.id)
        case .group(let key):
            let group = try group(key, of: person)
            guard group.members.count <= BridgeSettings.maximumToldOfPlaces else {
                let limit = BridgeSettings.maximumToldOfPlaces
                throw .problem(
                    Problem(.tooMany, "A group of more than \(limit) cannot be watched."))
            }
            return .group(group.id)
        }
    }

    private func told(_ told: GeofenceRuleDetails.Told, _ person: Person)
        throws(Refused) -> GeofenceRuleRow.Told
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
                throw .problem(
                    Problem(.tooMany, "A group of more than \(limit) cannot be told."))
            }
            return .group(group.id)
        }
    }

    private static let stranger = Refused.problem(
        Problem(
            .notAllowed,
            "Only whoever shares a group with somebody, or is on their list of friends, can be told "
                + "of them."))

    private func checkBounds(_ row: GeofenceRuleRow) throws(Refused) {
        let limit = BridgeSettings.maximumGeofenceRules
        for user in Set(row.people) where state.rulesInvolving[user]?.count ?? 0 >= limit {
            throw .problem(
                Problem(.tooMany, "A user may be in at most \(limit) rules about places."))
        }
        guard state.rulesAt[row.geofence]?.count ?? 0 < BridgeSettings.maximumRulesAtPlace else {
            let limit = BridgeSettings.maximumRulesAtPlace
            throw .problem(Problem(.tooMany, "A place may have at most \(limit) rules."))
        }
        if row.rule.event.isTimed, case .group = row.watched, case .group = row.told {
            let reason = "must be a person, where everybody in a group is to be there"
            throw .problem(Problem(invalid: [.init(field: "tell", reason: reason)]))
        }
        for group in Set(row.groups) where state.rulesOfGroup[group]?.count ?? 0 >= limit {
            throw .problem(
                Problem(.tooMany, "A group may be in at most \(limit) rules about places."))
        }
    }

    private func checkRelation(_ row: GeofenceRuleRow, to user: UserID) throws(Refused) {
        guard let watched = memory.people[user] else { return }
        let isAllowed = try stored { _ throws(StoreError) in
            switch row.told {
            case .maker: true
            case .user(let reader):
                try memory.people[reader].map { reader throws(StoreError) in
                    try mayBeTold(reader, of: watched)
                } ?? false
            case .group(let group): watched.membership(in: group) != nil
            }
        }
        // In a group, those to whom it does not apply are not asked.
        guard case .user = row.watched, !isAllowed else { return }
        throw Geofences.stranger
    }

    /// Those about whom the rule would tell something.
    private func asked(by row: GeofenceRuleRow) -> [UserID] {
        switch row.watched {
        case .user(let user): [user]
        case .group(let group): memory.groups[group]?.members.map(\.id) ?? []
        }
    }

    /// Asks somebody about a new rule. Whoever makes one about themselves has agreed.
    private func ask(_ user: UserID, about row: GeofenceRuleRow, at place: OwnPlace)
        throws(StoreError)
    {
        guard let maker = memory.people[row.user], let watched = memory.people[user] else { return }
        let isOwn = user == row.user
        try set(
            GeofenceConsentRow(
                rule: row.rule.id, user: user, agrees: isOwn ? true : nil,
                answeredAt: isOwn ? now : nil))
        if isOwn { return try beginWatching(watched, at: row.geofence) }
        try tell(watched, .placeRule(row.rule.id, place: place.name, .asked), of: maker)
    }

    /// Whoever comes into a group in which everybody is watched who agrees is asked as well.
    func askWhoJoined() throws(StoreError) {
        let joined = state.joined
        state.joined = [:]
        for (user, groups) in joined.sorted(by: { $0.key < $1.key }) {
            for id in groups.flatMap({ state.rulesOfGroup[$0] ?? [] }).sorted() {
                guard let row = state.rules[id], case .group(let group) = row.watched,
                    groups.contains(group), state.consents[id]?[user] == nil,
                    memory.people[user]?.membership(in: group) != nil,
                    let place = state.fences[row.geofence]?.place
                else { continue }
                try ask(user, about: row, at: place)
            }
        }
    }

    /// The place is elsewhere now: what people agreed to is not what it was. Whoever moved it agrees for
    /// themselves alone, and whoever has refused is not asked again.
    func moved(_ fence: GeofenceRow, by person: Person) throws(Refused) {
        let id = fence.place.id
        try stored { _ throws(StoreError) in
            for rule in (state.rulesAt[id] ?? []).sorted() {
                for user in state.watched(by: rule) where user != person.id {
                    try set(GeofenceConsentRow(rule: rule, user: user))
                    guard let watched = memory.people[user] else { continue }
                    try tell(
                        watched, .placeRule(rule, place: fence.place.name, .asked), of: person)
                }
            }
            for rule in (state.rulesAt[id] ?? []).sorted() {
                for user in (state.consents[rule] ?? [:]).keys.sorted()
                where state.presences[user]?[id] != nil {
                    try forgetPresence(of: user, at: id)
                    try endWatching(user, at: id)
                }
            }
        }
    }

    // MARK: Answering and ending

    func answer(_ id: UUIDv7, _ agrees: Bool, _ person: Person) throws(Refused) {
        guard let row = state.rules[id], let consent = state.consents[id]?[person.id],
            let place = state.fences[row.geofence]?.place
        else { throw Geofences.unknownRule }
        guard consent.agrees != agrees else { return }
        try stored { _ throws(StoreError) in
            try note(agrees, of: person, to: row)
            guard let maker = memory.people[row.user], maker !== person else { return }
            try tell(
                maker, .placeRule(id, place: place.name, agrees ? .agreed : .refused), of: person)
        }
        noteUsage(.changes, of: person)
    }

    private func note(_ agrees: Bool, of person: Person, to row: GeofenceRuleRow)
        throws(StoreError)
    {
        try set(
            GeofenceConsentRow(
                rule: row.rule.id, user: person.id, agrees: agrees, answeredAt: now))
        if agrees {
            try beginWatching(person, at: row.geofence)
        } else {
            try endWatching(person.id, at: row.geofence)
        }
    }

    /// Nobody is to know any more where the person is: they agree to no rule from now on. Whoever relied
    /// on that is told.
    func endConsents(of person: Person) throws(StoreError) {
        for id in (state.rulesInvolving[person.id] ?? []).sorted()
        where state.agrees(person.id, to: id) {
            guard let row = state.rules[id], let place = state.fences[row.geofence]?.place else {
                continue
            }
            try note(false, of: person, to: row)
            guard let maker = memory.people[row.user], maker !== person else { continue }
            try tell(maker, .placeRule(id, place: place.name, .refused), of: person)
        }
    }

    /// Whoever made it ends it for all, and so does the only one who is told; whoever is watched ends it
    /// for themselves.
    func endRule(_ id: UUIDv7, _ person: Person) throws(Refused) {
        guard let row = state.rules[id], isInvolved(person, in: row) else {
            throw Geofences.unknownRule
        }
        let isReader = if case .user(person.id) = row.told { true } else { false }
        guard row.user != person.id, !isReader else {
            return try stored { _ throws(StoreError) in
                try tellOfEnd(of: id, by: person)
                try removeRule(id)
            }
        }
        try answer(id, false, person)
    }

    /// Whoever relied on it learns that it ends.
    ///
    /// - Parameter isNamed: whether they learn by whom.
    func tellOfEnd(of id: UUIDv7, by person: Person, isNamed: Bool = true) throws(StoreError) {
        guard let row = state.rules[id], let place = state.fences[row.geofence]?.place else {
            return
        }
        var readers = [row.user]
        if case .user(let user) = row.told { readers.append(user) }
        for reader in readers.compactMap({ memory.people[$0] }) where reader !== person {
            try tell(
                reader, .placeRule(id, place: place.name, .ended), of: isNamed ? person : nil)
        }
    }

    func removeRule(_ id: UUIDv7) throws(StoreError) {
        guard let row = state.rules[id] else { return }
        let users = (state.consents[id] ?? [:]).keys.sorted()
        try transaction.deleteGeofenceRule(id)
        state.removeRule(id)
        for user in users { try endWatching(user, at: row.geofence) }
    }

    private static let unknownRule = Refused.problem(
        Problem(.unknownRule, "There is no rule with that identifier for you."))

    private func isInvolved(_ person: Person, in row: GeofenceRuleRow) -> Bool {
        if row.people.contains(person.id) || state.consents[row.rule.id]?[person.id] != nil {
            return true
        }
        if case .group(let group) = row.told { return person.membership(in: group) != nil }
        return false
    }

    private func set(_ consent: GeofenceConsentRow) throws(StoreError) {
        try transaction.save(consent)
        state.set(consent)
    }

    // MARK: Who may know

    /// Whether somebody has to do with a person: they share a group, or are on the person's list of
    /// friends, and the person has not blocked them.
    func mayKnow(_ reader: Person, of person: Person) throws(StoreError) -> Bool {
        if reader === person { return true }
        if try transaction.hasBlocked(person.id, reader.id) { return false }
        if reader.memberships.contains(where: { person.membership(in: $0.group.id) != nil }) {
            return true
        }
        return try transaction.friend(reader.id, of: person.id) != nil
    }

    /// Whether somebody who has not made the rule can be told: nobody is told of people whom they do not
    /// know because those like it so.
    private func mayBeTold(_ reader: Person, of person: Person) throws(StoreError) -> Bool {
        guard try mayKnow(reader, of: person) else { return false }
        if reader === person { return true }
        if reader.memberships.contains(where: { person.membership(in: $0.group.id) != nil }) {
            return true
        }
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

    // MARK: Lists

    func listRules(after: UUIDv7?, _ person: Person) throws(Refused) -> [UInt8] {
        var ids = state.rulesInvolving[person.id] ?? []
        for membership in person.memberships {
            ids.formUnion(state.rulesOfGroup[membership.group.id] ?? [])
        }
        let concerned = ids.sorted().filter { id in
            state.rules[id].map { isInvolved(person, in: $0) } ?? false
        }
        var page = ListPage()
        page.fill(concerned, after: after) { id, json in
            guard let row = self.state.rules[id] else { return }
            json.raw(self.message(row, for: person))
        }
        return page.result("rules")
    }

    /// The answers of a group that are told, so that a rule stays short.
    private static let consentsListed = 40

    private func message(_ row: GeofenceRuleRow, for person: Person) -> [UInt8] {
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
        // What others have answered concerns whoever made it.
        let consents = (state.consents[row.rule.id] ?? [:]).values.sorted { $0.user < $1.user }
            .filter { $0.user == person.id || row.user == person.id }
            .prefix(Geofences.consentsListed)
            .compactMap { consent in
                memory.people[consent.user].map { (user: $0.name, agrees: consent.agrees) }
            }
        return GeofenceRuleMessage(
            row.rule, at: place, by: maker.map { (user: $0.name, name: $0.displayName) },
            watched: watched, told: told, consents: consents
        ).payload
    }
}
