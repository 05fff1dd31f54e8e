import Contract
import JSON
import MQTT
import Store
import Tracking

/// Services' requests and the data they receive.
extension Services {
    func row(of service: Person) -> ServiceRow {
        guard let row = state.services[service.id] else {
            preconditionFailure("its account is a service's")
        }
        return row
    }

    func users(of service: Person, after: Int64?) throws -> [UInt8] {
        let limit = Services.usersAtATime
        let rows = try transaction.serviceConsents(
            to: service.id, after: after ?? 0, limit: limit + 1)
        return JSONWriter.object { json in
            json.key("users")
            json.array(rows.prefix(limit)) { json, row in
                json.object { json in
                    json.key("user")
                    json.string(row.user.text)
                    json.key("since")
                    json.time(row.at)
                    json.key("stream")
                    json.bool(row.mayStream)
                    json.key("subscribed")
                    json.bool(row.isSubscribed)
                }
            }
            json.next(after: rows, atMost: limit) { $0.id }
        }
    }

    private static let usersAtATime = 100

    // MARK: Streaming

    /// Starts publishing samples as they arrive, or asks a user who has only consented to reading.
    func subscribe(to name: Name, _ reason: String?, by service: Person) throws -> [UInt8] {
        var (user, consent) = try consent(of: name, to: service)
        noteUsage(.changes, of: service)
        let row = row(of: service)
        let standing: String
        if consent.streamsSince == nil {
            standing = try isSilenced(row.company, by: user) ? "silenced" : "pending"
            let request = DataRequestRow(
                id: UUIDv7(at: now, random: (random.next(), random.next())), user: user.id,
                service: service.id, company: row.company, reason: reason ?? row.description,
                streams: true, asked: nil, isByNumber: false)
            try put(request, of: service, to: user)
        } else {
            standing = "granted"
            if consent.subscribedAt == nil {
                consent.subscribedAt = now
                try set(consent, of: user)
                _ = try log(.subscribed, of: user.id, by: row)
            }
        }
        return JSONWriter.object { json in
            json.key("topic")
            json.string(topics.string(.samples(of: user.name, for: service.name)))
            json.key("state")
            json.string(standing)
        }
    }

    func unsubscribe(from name: Name, by service: Person) throws {
        guard let user = memory.person(name),
            var consent = state.consent(of: user.id, to: service.id),
            consent.subscribedAt != nil
        else { return }
        consent.subscribedAt = nil
        try set(consent, of: user)
        _ = try log(.unsubscribed, of: user.id, by: row(of: service))
    }

    func set(_ consent: ServiceConsent, of user: Person) throws {
        try transaction.setStreaming(consent)
        state.set(consent)
        user.subscribers.removeAll { $0.service == consent.service }
        if let subscriber = Services.subscriber(consent, of: user, memory, topics) {
            user.subscribers.append(subscriber)
        }
    }

    /// - Returns: nil if the service is not subscribed.
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

    /// Passes a fix that was just stored on to the services with consent. Fixes that arrive during
    /// a pause are never shown to services.
    ///
    /// - Returns: whether it arrived during a pause, or was taken during the last one.
    func pass(on row: FixRow, of person: Person) throws -> Bool {
        if person.tracker.isPaused(at: row.fix.takenAt) {
            let first = person.firstPaused ?? row.id
            person.firstPaused = first
            try transaction.notePaused(row.id, since: first, of: person.id)
            return true
        }
        person.firstPaused = nil
        if !person.subscribers.isEmpty {
            pass(.positions, takenAt: row.fix.takenAt, of: person) { $0.serviceFix(row.fix) }
        }
        return false
    }

    func received(_ vitals: VitalSigns, of person: Person, isNew: Bool) {
        guard isNew, !person.subscribers.isEmpty else { return }
        pass(.vitals, takenAt: vitals.takenAt, of: person) {
            $0.vitals(vitals, isNumbered: false)
        }
    }

    /// - Throws: `no-consent`, which the user's log records; the same if there is no such user.
    func consent(of name: Name, to service: Person) throws
        -> (user: Person, consent: ServiceConsent)
    {
        guard let user = memory.person(name),
            let consent = state.consent(of: user.id, to: service.id)
        else {
            noteDenial(of: name, to: service)
            throw Problem(.noConsent, "No user of that name has agreed to this.")
        }
        return (user, consent)
    }
}
