import Contract
import JSON
import Store
import Tracking

/// What people decide about services.
extension Services {
    func discover(after: Int64?) throws(Refused) -> [UInt8] {
        let limit = Services.servicesAtATime
        let rows = try stored { transaction throws(StoreError) in
            try transaction.services(after: UserID(rawValue: after ?? 0), limit: limit + 1)
        }
        return JSONWriter.object { json in
            json.key("services")
            json.array(rows.prefix(limit).compactMap(description)) { json, service in
                json.object { $0.service(service) }
            }
            json.next(after: rows, atMost: limit) { $0.id.rawValue }
        }
    }

    private static let servicesAtATime = 50

    func consents(of person: Person) throws(Refused) -> [UInt8] {
        let requests = try stored { transaction throws(StoreError) in
            try transaction.openDataRequests(to: person.id)
        }
        return JSONWriter.object { json in
            json.key("services")
            json.array(consents(of: person.id)) { json, consent in
                json.object { json in
                    describe(consent.service, to: &json)
                    json.key("since")
                    json.time(consent.at)
                    json.key("subscribed")
                    json.bool(consent.subscribedAt != nil)
                }
            }
            if let since = areas.monitoring.state.people[person.id]?.since {
                json.key("monitoringSince")
                json.time(since)
            }
            json.key("requests")
            json.array(requests) { json, request in
                json.object { json in
                    json.key("request")
                    json.string(request.id.description)
                    describe(request.service, to: &json)
                    json.key("reason")
                    json.string(request.reason)
                    json.key("at")
                    json.time(request.id.time)
                }
            }
            areas.runs.writeEntries(of: person, to: &json)
        }
    }

    private func describe(_ service: UserID, to json: inout JSONWriter) {
        guard let row = state.services[service], let description = description(row) else { return }
        json.service(description)
    }

    // MARK: Deciding

    func add(_ service: Found, by person: Person) throws(Refused) -> [UInt8] {
        let answer = JSONWriter.object { json in
            json.key("service")
            json.string(service.account.name.text)
        }
        guard state.consent(of: person.id, to: service.row.id) == nil else { return answer }
        guard consents(of: person.id).count < BridgeSettings.maximumConsents else {
            let limit = BridgeSettings.maximumConsents
            throw .problem(
                Problem(.tooMany, "At most \(limit) services may have your data."))
        }
        let consent = ServiceConsent(user: person.id, service: service.row.id, at: now)
        try stored { transaction throws(StoreError) in
            try transaction.insert(consent)
            try transaction.answerDataRequests(
                of: service.row.id, to: person.id, isAllowed: true, at: now)
            try log(.granted, of: person.id, by: service.row)
            try areas.notices.add(.consentGiven, for: service.account, about: person)
            // Told to all devices: somebody else may have been at one of them.
            if let description = description(service.row) {
                try areas.notices.add(
                    .serviceAdded(service: description.service, name: description.title),
                    for: person)
            }
        }
        state.set(consent)
        noteUsage(.changes, of: person)
        return answer
    }

    func remove(_ service: Found, by person: Person) throws(Refused) {
        guard let consent = state.consent(of: person.id, to: service.row.id) else {
            throw .problem(Problem(.noConsent, "That service does not have your data."))
        }
        try end(consent)
        try stored { _ throws(StoreError) in
            try log(.revoked, of: person.id, by: service.row)
            try areas.notices.add(.consentRevoked, for: service.account, about: person)
        }
    }

    // MARK: Positions

    /// The services that may have the person's positions, and since when.
    func watching(_ person: Person) -> [(ServiceDescription, since: Timestamp)] {
        consents(of: person.id).compactMap { consent in
            guard let row = state.services[consent.service], row.data.contains(.positions),
                let service = description(row)
            else { return nil }
            return (service, consent.at)
        }
    }

    /// Takes their data from all services that may have the person's positions.
    ///
    /// - Returns: how many there were.
    func removeWatching(_ person: Person) throws(Refused) -> Int {
        let services = watching(person)
        for (service, _) in services { try remove(self.service(service.service), by: person) }
        return services.count
    }

    /// From this commit on nothing more is passed on.
    func end(_ consent: ServiceConsent) throws(Refused) {
        try stored { transaction throws(StoreError) in
            try transaction.endServiceConsent(of: consent.user, to: consent.service, at: now)
        }
        state.remove(consent)
        endPassing(on: consent)
    }

    func endPassing(on consent: ServiceConsent) {
        memory.people[consent.user]?.subscribers.removeAll { $0.service == consent.service }
    }

    func answer(_ id: UUIDv7, isAllowed: Bool, by person: Person) throws(Refused) {
        let requests = try stored { transaction throws(StoreError) in
            try transaction.openDataRequests(to: person.id)
        }
        guard let request = requests.first(where: { $0.id == id }),
            let row = state.services[request.service], let account = memory.people[row.id]
        else {
            throw .problem(Problem(.unknownRequest, "There is no such request to you."))
        }
        if isAllowed {
            _ = try add((account, row), by: person)
            return
        }
        try stored { transaction throws(StoreError) in
            try transaction.answerDataRequests(
                of: row.id, to: person.id, isAllowed: false, at: now)
            try log(.refused, of: person.id, by: row)
            try areas.notices.add(.consentRefused, for: account, about: person)
        }
    }
}
