import Contract
import JSON
import MQTT
import Store
import Tracking

/// What services ask for, and what they receive.
extension Services {
    func row(of service: Person) -> ServiceRow {
        guard let row = state.services[service.id] else {
            preconditionFailure("its account is a service's")
        }
        return row
    }

    func user(_ name: Name) throws(Refused) -> Person {
        guard let user = memory.person(name) else {
            throw .problem(Problem(.unknownUser, "There is no user with that name."))
        }
        return user
    }

    // MARK: Asking

    func request(_ asked: ServiceCommand.Asked, _ reason: String, by service: Person)
        throws(Refused) -> [UInt8]
    {
        noteUsage(.changes, of: service)
        switch asked {
        case .user(let name): return state(try request(user(name), reason, by: service))
        case .ssn(let number):
            // Whether there is such a person, only they can tell.
            guard let user = try areas.vitals.person(withSSN: number) else {
                return state("pending")
            }
            do throws(Refused) {
                guard try request(user, reason, by: service) == "granted" else {
                    return state("pending")
                }
                return state("granted", of: user)
            } catch {
                guard case .problem = error else { throw error }
                return state("pending")
            }
        }
    }

    /// - Returns: the state.
    private func request(_ user: Person, _ reason: String, by service: Person)
        throws(Refused) -> String
    {
        let row = row(of: service)
        if state.consent(of: user.id, to: service.id) != nil { return "granted" }
        let open = try stored { transaction throws(StoreError) in
            try transaction.openDataRequests(to: user.id)
        }
        if open.contains(where: { $0.service == service.id }) { return "pending" }
        let refusals = try stored { transaction throws(StoreError) in
            try transaction.countRefusals(of: row.company, by: user.id)
        }
        guard refusals < BridgeSettings.maximumRefusals else { return "silenced" }
        // One company cannot take all places.
        let own = open.count { $0.company == row.company }
        guard open.count < BridgeSettings.maximumOpenRequests,
            own < BridgeSettings.maximumOpenRequestsOfCompany
        else {
            throw .problem(
                Problem(.tooMany, "Too many services wait for this user's answer. Try later."))
        }
        let request = DataRequestRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), user: user.id,
            service: service.id, company: row.company, reason: reason)
        try stored { transaction throws(StoreError) in
            try transaction.insert(request)
            try log(.requested, of: user.id, by: row)
            try areas.notices.add(
                .consentRequested(request.id, service: service.name, name: service.displayName),
                for: user)
        }
        return "pending"
    }

    private func state(_ state: String, of user: Person? = nil) -> [UInt8] {
        JSONWriter.object { json in
            json.key("state")
            json.string(state)
            guard let user else { return }
            json.key("user")
            json.string(user.name.text)
        }
    }

    func users(of service: Person, after: Int64?) throws(Refused) -> [UInt8] {
        let limit = Services.usersAtATime
        let rows = try stored { transaction throws(StoreError) in
            try transaction.serviceConsents(to: service.id, after: after ?? 0, limit: limit + 1)
        }
        return JSONWriter.object { json in
            json.key("users")
            json.array(rows.prefix(limit)) { json, row in
                json.object { json in
                    json.key("user")
                    json.string(row.user.text)
                    json.key("since")
                    json.time(row.at)
                    json.key("subscribed")
                    json.bool(row.isSubscribed)
                }
            }
            json.next(after: rows, atMost: limit) { $0.id }
        }
    }

    private static let usersAtATime = 100

    // MARK: As it comes

    func subscribe(to name: Name, by service: Person) throws(Refused) -> [UInt8] {
        let user = try user(name)
        var consent = try consent(of: user, to: service)
        if consent.subscribedAt == nil {
            consent.subscribedAt = now
            try set(consent, of: user)
            try stored { _ throws(StoreError) in
                try log(.subscribed, of: user.id, by: row(of: service))
            }
        }
        noteUsage(.changes, of: service)
        return JSONWriter.object { json in
            json.key("topic")
            json.string(topics.string(.samples(of: user.name, for: service.name)))
        }
    }

    func unsubscribe(from name: Name, by service: Person) throws(Refused) {
        let user = try user(name)
        guard var consent = state.consent(of: user.id, to: service.id),
            consent.subscribedAt != nil
        else { return }
        consent.subscribedAt = nil
        try set(consent, of: user)
        try stored { _ throws(StoreError) in
            try log(.unsubscribed, of: user.id, by: row(of: service))
        }
    }

    private func set(_ consent: ServiceConsent, of user: Person) throws(Refused) {
        try stored { transaction throws(StoreError) in
            try transaction.setSubscribed(
                user.id, to: consent.service, since: consent.subscribedAt)
        }
        state.set(consent)
        user.subscribers.removeAll { $0.service == consent.service }
        if let subscriber = Services.subscriber(consent, of: user, memory, topics) {
            user.subscribers.append(subscriber)
        }
    }

    /// - Returns: nil if it is not subscribed.
    static func subscriber(
        _ consent: ServiceConsent, of user: Person, _ memory: Memory, _ topics: TopicSpace
    ) -> Person.Subscriber? {
        guard consent.subscribedAt != nil, let account = memory.people[consent.service],
            let row = memory.state(ServicesState.self).services[consent.service]
        else { return nil }
        return Person.Subscriber(
            service: consent.service,
            topic: topics.string(.samples(of: user.name, for: account.name)), data: row.data)
    }

    /// Passes a fix that was just stored on to the services that may have it. What comes during a
    /// pause none of them is shown, neither now nor later.
    ///
    /// - Returns: whether it came during a pause, or was taken during the last one.
    func pass(on row: FixRow, of person: Person) throws(StoreError) -> Bool {
        if person.tracker.isPaused(at: row.fix.takenAt) {
            let first = person.firstPaused ?? row.id
            person.firstPaused = first
            try transaction.notePaused(row.id, since: first, of: person.id)
            return true
        }
        person.firstPaused = nil
        if !person.subscribers.isEmpty { pass(.positions, of: person) { $0.fix(row.fix) } }
        return false
    }

    func pass(on vitals: VitalSigns, of person: Person) {
        pass(.vitals, of: person) { $0.vitals(vitals) }
    }

    /// - Throws: `no-consent`, which the user's log tells of.
    func consent(of user: Person, to service: Person) throws(Refused) -> ServiceConsent {
        guard let consent = state.consent(of: user.id, to: service.id) else {
            try stored { transaction throws(StoreError) in
                // Once in a row: a service cannot fill the log.
                let last = try transaction.lastAccess(of: user.id, by: service.name)
                if last != .denied { try log(.denied, of: user.id, by: row(of: service)) }
            }
            throw .problem(Problem(.noConsent, "The user has not agreed to this."))
        }
        return consent
    }
}
