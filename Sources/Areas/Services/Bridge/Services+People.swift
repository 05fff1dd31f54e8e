import Contract
import Store
import Tracking

/// People's decisions about services.
extension Services {
    func discover(after: Int64?) throws -> [UInt8] {
        let limit = Services.servicesAtATime
        let rows = try transaction.services(after: UserID(rawValue: after ?? 0), limit: limit + 1)
        let next = rows.count > limit ? rows[limit - 1].id.rawValue : nil
        return ServiceResult.discovered.bytes(
            of: (rows.prefix(limit).compactMap(description), next))
    }

    private static let servicesAtATime = 50

    func consents(of person: Person) throws -> [UInt8] {
        try putQuestions(to: person)
        let requests = try transaction.openDataRequests(to: person.id, since: openSince)
        let services: [ServiceResult.Consent] = consents(of: person.id).compactMap { consent in
            guard let service = description(consent.service) else { return nil }
            return (service, consent.at, consent.streamsSince != nil, consent.subscribedAt != nil)
        }
        let asking: [ServiceResult.DataRequest] = requests.compactMap { request in
            guard let service = description(request.service) else { return nil }
            return (request.id, service, request.reason, request.streams)
        }
        let monitoringSince = areas.monitoring.state.people[person.id]?.since
        return ServiceResult.consents.bytes(
            of: (services, monitoringSince, asking, areas.runs.consents(of: person)))
    }

    private func description(_ service: UserID) -> ServiceDescription? {
        state.services[service].flatMap(description)
    }

    // MARK: Deciding

    /// - Parameter streams: whether it may also receive samples as they arrive; nil to leave that
    ///   unchanged.
    func add(_ service: Found, _ streams: Bool?, by person: Person) throws -> [UInt8] {
        let known = state.consent(of: person.id, to: service.row.id)
        let mayStream = streams ?? (known?.streamsSince != nil)
        let answer = ServiceResult.added.bytes(of: (service.account.name, mayStream))
        if let known {
            if mayStream != (known.streamsSince != nil) {
                try change(known, to: mayStream, service, by: person)
            }
            return answer
        }
        guard consents(of: person.id).count < BridgeSettings.maximumConsents else {
            let limit = BridgeSettings.maximumConsents
            throw Problem(.tooMany, "At most \(limit) services can have your data.")
        }
        let consent = ServiceConsent(
            user: person.id, service: service.row.id, at: now,
            streamsSince: mayStream ? now : nil)
        try transaction.insert(consent)
        try transaction.answerDataRequests(
            of: service.row.id, to: person.id, isAllowed: true, at: now)
        try log(.granted, of: person.id, by: service.row)
        if mayStream { try log(.streamAllowed, of: person.id, by: service.row) }
        try areas.notices.add(
            .consentGiven(streams: mayStream), for: service.account, about: person)
        // All devices are notified, since one of them may have been used by another person.
        if let description = description(service.row) {
            try areas.notices.add(
                .serviceAdded(service: description.service, name: description.title),
                for: person)
        }
        state.set(consent)
        noteUsage(.changes, of: person)
        return answer
    }

    /// Allows a service with consent to read to receive samples as they arrive too, or ends that.
    /// If it has asked for that, it starts immediately.
    private func change(
        _ consent: ServiceConsent, to mayStream: Bool, _ service: Found, by person: Person
    ) throws {
        let isAwaited = try transaction.openDataRequests(to: person.id, since: openSince).contains {
            $0.service == service.row.id && $0.streams
        }
        var consent = consent
        consent.streamsSince = mayStream ? now : nil
        consent.subscribedAt = mayStream && isAwaited ? now : nil
        try set(consent)
        try log(mayStream ? .streamAllowed : .streamEnded, of: person.id, by: service.row)
        if consent.subscribedAt != nil { try log(.subscribed, of: person.id, by: service.row) }
        try areas.notices.add(
            .consentGiven(streams: mayStream), for: service.account, about: person)
        noteUsage(.changes, of: person)
        guard mayStream else { return }
        try transaction.answerDataRequests(
            of: service.row.id, to: person.id, isAllowed: true, at: now)
        if let description = description(service.row) {
            try areas.notices.add(
                .serviceAdded(service: description.service, name: description.title), for: person)
        }
    }

    func remove(_ service: Found, by person: Person) throws {
        guard let consent = state.consent(of: person.id, to: service.row.id) else {
            throw Problem(.noConsent, "That service does not have your data.")
        }
        try end(consent)
        try log(.revoked, of: person.id, by: service.row)
        try areas.notices.add(.consentRevoked, for: service.account, about: person)
    }

    // MARK: Positions

    /// Returns the services that may receive the person's positions, and since when.
    func watching(_ person: Person) -> [(ServiceDescription, since: Timestamp)] {
        consents(of: person.id).compactMap { consent in
            guard let row = state.services[consent.service], row.data.contains(.positions),
                let service = description(row)
            else { return nil }
            return (service, consent.at)
        }
    }

    /// Ends all services' access to the person's positions, and with it their consents.
    ///
    /// - Returns: the number of services.
    func removeWatching(_ person: Person) throws -> Int {
        let services = watching(person)
        for (service, _) in services { try remove(self.service(service.service), by: person) }
        return services.count
    }

    /// Ends a consent: after this commit nothing more is passed on.
    func end(_ consent: ServiceConsent) throws {
        try transaction.endServiceConsent(of: consent.user, to: consent.service, at: now)
        state.remove(consent)
    }

    func answer(_ id: UUIDv7, isAllowed: Bool, by person: Person) throws {
        let requests = try transaction.openDataRequests(to: person.id, since: openSince)
        guard let request = requests.first(where: { $0.id == id }),
            let row = state.services[request.service], let account = memory.people[row.id]
        else {
            throw Problem(.unknownRequest, "You have no such request.")
        }
        if isAllowed {
            _ = try add((account, row), request.streams ? true : nil, by: person)
            return
        }
        try transaction.answerDataRequests(
            of: row.id, to: person.id, isAllowed: false, at: now)
        try log(.refused, of: person.id, by: row)
        // The owner of a number is revealed only with their consent.
        guard !request.isByNumber else { return }
        let reads = state.consent(of: person.id, to: row.id) != nil
        try areas.notices.add(
            reads ? .consentGiven(streams: false) : .consentRefused, for: account,
            about: person)
    }
}
