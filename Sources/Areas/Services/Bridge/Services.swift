import Contract
import JSON
import MQTT
import Store
import Tracking

/// Third parties: their services, the people who consent to share data with them, and the data
/// passed on.
final class Services: AreaHandler {
    typealias State = ServicesState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: ServicesState

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    func perform(
        _ command: ServiceCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .create(let new): return try create(new, by: person)
        case .list: return list(of: person)
        case .newToken(let name): return try newToken(of: own(name, of: person).account, person)
        case .delete(let name): return try delete(own(name, of: person).account)
        case .discover(let after): return try discover(after: after)
        case .consents: return try consents(of: person)
        case .log(let before, let limit): return try log(of: person, before: before, limit)
        case .users(let after): return try users(of: person, after: after)
        case .read(let reading): return try read(reading, by: person)
        case .request(let asked, let reason): return try request(asked, reason, by: person)
        case .setAddress(let name, let address): try setAddress(address, of: own(name, of: person))
        case .add(let name, let streams): return try add(service(name), streams, by: person)
        case .remove(let name): try remove(service(name), by: person)
        case .answer(let request, let isAllowed):
            try answer(request, isAllowed: isAllowed, by: person)
        case .subscribe(let user, let reason):
            return try subscribe(to: user, reason, by: person)
        case .unsubscribe(let user): try unsubscribe(from: user, by: person)
        }
        noteUsage(.changes, of: person)
        return Array("{}".utf8)
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(ServicesState.self)
        return [state.nextAsked, state.denials.map(\.due).min()].compactMap { $0 }.min()
    }

    func rescheduleAll() {
        if state.nextAsked != nil { state.nextAsked = now }
        for place in state.denials.indices { state.denials[place].due = now }
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        var isMore = try transaction.deleteAccess(
            before: sweep.startedAt - settings.retention.accessLog, atMost: limit)
        let isWaiting = try transaction.deleteUnanswered(
            before: sweep.startedAt - BridgeSettings.requestLifetime, atMost: limit)
        isMore = isMore || isWaiting
        if let first = try transaction.firstFix() {
            let hasPauses = try transaction.deletePausedFixes(before: first, atMost: limit)
            isMore = isMore || hasPauses
        }
        return isMore
    }

    /// Ends a person's consents, releases a service's users, or erases a company's services.
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        state.passing.removeAll { $0 === person }
        (state.samples[person.id], state.firstPaused[person.id]) = (nil, nil)
        switch person.kind {
        case .person:
            for consent in consents(of: person.id) {
                if let service = memory.people[consent.service] { tell(service, of: person) }
                state.remove(consent)
            }
        case .service:
            let description = state.services[person.id].flatMap { self.description($0) }
            // The rows are deleted in steps, with the account's others. They are no longer read.
            let consents = state.removeService(person.id)
            guard let description else { return }
            let users = consents.compactMap { memory.people[$0.user] }.sorted { $0.id < $1.id }
            try areas.notices.add(
                .serviceEnded(
                    service: description.service, name: description.title,
                    company: description.company), forAll: users, payer: nil)
        case .company:
            for service in state.services(of: person.id) {
                if let account = memory.people[service.id] { _ = try turn.eraseAccount(account) }
            }
        }
    }

    /// Notifies services that may have some of a person's data that the person has deleted it.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    func noteDeletion(of data: SharedData, from: Timestamp?, to: Timestamp?, by person: Person)
        throws
    {
        stopPassing(data, of: person, from: from, to: to)
        try notify(.dataDeleted(data, from: from, to: to), of: data, about: person)
    }

    func vitalsDeleted(of person: Person, from: Timestamp?, to: Timestamp?) throws {
        try noteDeletion(of: .vitals, from: from, to: to, by: person)
    }

    func vitalsEnded(of person: Person, hadConsented: Bool) throws {
        guard hadConsented else { return }
        stopPassing(.vitals, of: person)
        try notify(.vitalsEnded, of: .vitals, about: person)
    }

    /// Drops waiting samples, which must not arrive after the notice to delete them.
    private func stopPassing(
        _ data: SharedData, of person: Person, from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        state.samples[person.id]?.remove(data, from: from, to: to)
        if state.samples[person.id]?.isEmpty == true { state.passing.removeAll { $0 === person } }
    }

    private func notify(_ news: Notice.News, of data: SharedData, about person: Person) throws {
        for consent in consents(of: person.id) {
            guard state.services[consent.service]?.data.isDisjoint(with: data) == false,
                let service = memory.people[consent.service]
            else { continue }
            try areas.notices.add(news, for: service, about: person)
        }
    }

    /// Notifies a service to delete its data of a person whose account is being deleted. The
    /// message is not stored, so an offline service finds out by `data.users`.
    private func tell(_ service: Person, of person: Person) {
        let payload = JSONWriter.object { json in
            json.key("id")
            json.string(UUIDv7(at: now, random: (random.next(), random.next())).description)
            json.key("kind")
            json.string("data-erased")
            json.key("at")
            json.time(now)
            json.key("user")
            json.string(person.name.text)
        }
        publish(
            Publication(
                topic: topics.string(.serviceNotices(service.name)), payload: payload,
                qos: .atLeastOnce))
    }

    static let counters = ["samples-passed-on", "samples-thinned", "samples-read"]

    // MARK: Lookup

    /// A service with its account.
    typealias Found = (account: Person, row: ServiceRow)

    func service(_ name: Name) throws -> Found {
        guard let account = memory.account(name), let row = state.services[account.id] else {
            throw Problem(.unknownService, "There is no service with that name.")
        }
        return (account, row)
    }

    /// Returns the accounts of a company's services; a person has none.
    func services(of company: Person) -> [Person] {
        state.services(of: company.id).compactMap { memory.people[$0.id] }
    }

    func own(_ name: Name, of company: Person) throws -> Found {
        let found = try service(name)
        guard found.row.company == company.id else {
            throw Problem(.unknownService, "There is no service with that name.")
        }
        return found
    }

    func description(_ service: ServiceRow) -> ServiceDescription? {
        guard let account = memory.people[service.id], let company = memory.people[service.company]
        else { return nil }
        return ServiceDescription(
            service: account.name, title: account.displayName, company: company.displayName,
            description: service.description, data: service.data, address: service.address)
    }

    /// Returns the user's valid consents, the oldest first.
    func consents(of user: UserID) -> [ServiceConsent] {
        (state.ofUser[user] ?? [:]).values.sorted { ($0.at, $0.service) < ($1.at, $1.service) }
    }

    // MARK: The log

    /// - Returns: the entry's id; nil if the service is gone.
    @discardableResult
    func log(
        _ what: AccessEntry.What, of user: UserID, by service: ServiceRow,
        _ seen: AccessEntry.Seen? = nil, count: Int? = nil, at time: Timestamp? = nil
    ) throws -> Int64? {
        guard let description = description(service) else { return nil }
        return try transaction.log(
            AccessEntry(
                at: time ?? now, by: .service(description.service, company: description.company),
                what: what, seen: seen, count: count), of: user)
    }

    /// Adds what a service received to its entry of the log: a reading of several pages is one
    /// entry, and so is what is streamed in an hour.
    ///
    /// - Parameter entry: nil to begin one.
    /// - Returns: the entry.
    func log(
        _ what: AccessEntry.What, of user: UserID, by service: ServiceRow,
        _ seen: AccessEntry.Seen?, count: Int, in entry: Int64?
    ) throws -> Int64? {
        if let entry, let name = memory.people[service.id]?.name,
            try transaction.add(
                seen, count, to: entry, what, of: user, by: name, since: now - Services.entryPeriod)
        {
            return entry
        }
        return try log(what, of: user, by: service, seen, count: count)
    }

    /// The time for which an entry is extended.
    private static let entryPeriod = Duration.seconds(3_600)

    private func log(of person: Person, before: Int64?, _ limit: Int) throws -> [UInt8] {
        // One more, to find out whether there is more.
        let entries = try transaction.accessLog(of: person.id, before: before, limit: limit + 1)
        let next = entries.count > limit ? entries[limit - 1].id : nil
        return ServiceResult.log.bytes(of: (Array(entries.prefix(limit)), next))
    }
}
