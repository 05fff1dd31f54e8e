import Contract
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
        let next = rows.count > limit ? rows[limit - 1].id : nil
        return ServiceResult.users.bytes(
            of: (rows.prefix(limit).map { ($0.user, $0.at, $0.mayStream, $0.isSubscribed) }, next))
    }

    private static let usersAtATime = 100

    // MARK: Streaming

    /// Starts publishing samples as they arrive, or asks a user who has only consented to reading.
    func subscribe(to name: Name, _ reason: String?, by service: Person) throws -> [UInt8] {
        var (user, consent) = try consent(of: name, to: service)
        noteUsage(.changes, of: service)
        let row = row(of: service)
        let standing: ServiceResult.Standing
        if consent.streamsSince == nil {
            standing = try isSilenced(row.company, by: user) ? .silenced : .pending
            let request = DataRequestRow(
                id: UUIDv7(at: now, random: (random.next(), random.next())), user: user.id,
                service: service.id, company: row.company, reason: reason ?? row.description,
                streams: true, asked: nil, isByNumber: false)
            try put(request, of: service, to: user)
        } else {
            standing = .granted
            if consent.subscribedAt == nil {
                consent.subscribedAt = now
                try set(consent)
                _ = try log(.subscribed, of: user.id, by: row)
            }
        }
        return ServiceResult.subscribed.bytes(
            of: (topics.string(.samples(of: user.name, for: service.name)), standing))
    }

    func unsubscribe(from name: Name, by service: Person) throws {
        guard let user = memory.person(name),
            var consent = state.consent(of: user.id, to: service.id),
            consent.subscribedAt != nil
        else { return }
        consent.subscribedAt = nil
        try set(consent)
        _ = try log(.unsubscribed, of: user.id, by: row(of: service))
    }

    func set(_ consent: ServiceConsent) throws {
        try transaction.setStreaming(consent)
        state.set(consent)
    }

    /// Passes a fix on to the services with consent. Fixes that arrive during a pause, or were
    /// taken during the last one, are never shown to services.
    func stored(_ row: FixRow, of person: Person) throws {
        guard !person.tracker.isPaused(at: row.fix.takenAt) else {
            let first = state.firstPaused[person.id] ?? row.id
            state.firstPaused[person.id] = first
            return try transaction.notePaused(row.id, since: first, of: person.id)
        }
        state.firstPaused[person.id] = nil
        pass(.positions, takenAt: row.fix.takenAt, of: person) { $0.serviceFix(row.fix) }
    }

    func received(_ vitals: VitalSigns, of person: Person, isNew: Bool) {
        guard isNew else { return }
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
