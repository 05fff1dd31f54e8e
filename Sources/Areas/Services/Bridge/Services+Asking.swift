import Contract
import Crypto
import Store
import Tracking

/// Services' requests to people.
///
/// A service learns nothing about a person who has not answered: the reply is made by the same
/// steps whether or not the person exists, and a later turn, at an unpredictable moment, resolves
/// the request to users.
extension Services {
    func request(_ asked: ServiceCommand.Asked, _ reason: String, by service: Person)
        throws -> [UInt8]
    {
        noteUsage(.changes, of: service)
        let row = row(of: service)
        let people = try people(asked)
        let granted = people.first { state.consent(of: $0.id, to: service.id) != nil }
        switch asked {
        case .ssn:
            if let granted { return standing(.granted, of: granted) }
        case .user:
            if granted != nil { return standing(.granted) }
            if try isSilenced(row.company, by: people.first) { return standing(.silenced) }
        }
        try checkAddress(of: row.company)
        try note(asked, reason, of: row)
        return standing(.pending)
    }

    private func standing(_ standing: ServiceResult.Standing, of user: Person? = nil) -> [UInt8] {
        ServiceResult.asked.bytes(of: (standing, user?.name))
    }

    private func people(_ asked: ServiceCommand.Asked) throws -> [Person] {
        switch asked {
        case .user(let name): memory.person(name).map { [$0] } ?? []
        case .ssn(let number): try areas.vitals.people(withSSN: number)
        }
    }

    /// - Parameter user: nil for no user, after the same work.
    func isSilenced(_ company: UserID, by user: Person?) throws -> Bool {
        try transaction.countRefusals(of: company, by: user?.id ?? Services.nobody)
            >= BridgeSettings.maximumRefusals
    }

    private static let nobody = UserID(rawValue: 0)

    /// Checks that the company has proved who it is: its address is confirmed.
    private func checkAddress(of company: UserID) throws {
        guard settings.accounts.companiesNeedConfirmedAddress else { return }
        let standing = try transaction.standing(of: company)
        guard standing.emailVerifiedAt != nil else {
            throw Problem(
                .notAllowed,
                "The company's address is not confirmed: open the link that was sent to it, or "
                    + "ask the operator of this service (kith user confirm).")
        }
    }

    // MARK: Recording

    /// Records a service's request, regardless of the person. The service can repeat it once the
    /// user has answered, or after ``BridgeSettings/requestLifetime``.
    ///
    /// - Throws: `too-many` if its company has reached its daily limit.
    private func note(
        _ asked: ServiceCommand.Asked, _ reason: String, of service: ServiceRow
    ) throws {
        let (asked, mark) = try marked(asked)
        let known = try transaction.askedPerson(mark, by: service.id)
        if let known, isOpen(known.at) { return }
        let count = try transaction.countAskedPeople(of: service.company, since: now - Services.day)
        let limit = settings.accounts.strangersPerDay
        guard count < limit else {
            throw Problem(
                .tooMany,
                "A company may have at most \(limit) unanswered requests a day to people: try "
                    + "again tomorrow.")
        }
        let due = now + .milliseconds(1 + Int64(random.next() % Services.longestDelay))
        let question = AskedPersonRow.Question(asked: asked, reason: reason, due: due)
        try transaction.save(
            AskedPersonRow(
                service: service.id, company: service.company, mark: mark, at: now, question))
        state.nextAsked = min(state.nextAsked ?? due, due)
    }

    /// Whether a request made at that time is still unanswered and valid; false if the clock was
    /// ahead then.
    private func isOpen(_ time: Timestamp) -> Bool { openSince < time && time <= now }

    /// Requests made before this have expired.
    var openSince: Timestamp { now - BridgeSettings.requestLifetime }

    /// Returns the text that is stored until the request is resolved, and the mark that is kept: it
    /// does not reveal whom the request was about.
    private func marked(_ asked: ServiceCommand.Asked) throws -> (asked: String, mark: [UInt8]) {
        switch asked {
        case .user(let name):
            let key = try transaction.serviceKey("asked", Services.keyLength, using: &random)
            let mark = HMAC<SHA256>.authenticationCode(
                for: Array(name.text.utf8), using: SymmetricKey(data: key))
            return (name.text, Array(mark))
        case .ssn(let number):
            let mark = areas.vitals.mark(ofSSN: number) ?? []
            return ("#\(Hexadecimal.text(mark))", mark)
        }
    }

    private static let keyLength = 32

    // MARK: Resolving

    /// Puts the due requests to the users they refer to.
    func putQuestions() throws {
        guard let next = state.nextAsked, next <= now else { return }
        try put(try transaction.askedPeople(dueAt: now, atMost: Services.questionsAtATime))
    }

    /// Puts pending requests immediately to a person who is looking at their requests.
    func putQuestions(to person: Person) throws {
        guard state.nextAsked != nil else { return }
        try put(
            try transaction.askedPeople(perhaps: person.name, atMost: Services.questionsAtATime))
    }

    private func put(_ rows: [AskedPersonRow]) throws {
        for row in rows {
            try transaction.noteLookedUp(row.id)
            guard let question = row.question, let service = memory.people[row.service],
                state.services[service.id] != nil
            else { continue }
            for user in try people(meantBy: question.asked) {
                try put(question, of: service, row, to: user)
            }
        }
        state.nextAsked = try transaction.nextAskedPerson()
    }

    private func people(meantBy asked: String) throws -> [Person] {
        guard asked.first == "#" else {
            return Name(asked).flatMap { memory.person($0) }.map { [$0] } ?? []
        }
        guard let mark = Hexadecimal.bytes(String(asked.dropFirst())) else { return [] }
        return try areas.vitals.people(withMarks: [mark])
    }

    /// Puts a request to a user, unless they have agreed, been asked already, or must not be asked.
    private func put(
        _ question: AskedPersonRow.Question, of service: Person, _ row: AskedPersonRow,
        to user: Person
    ) throws {
        guard state.consent(of: user.id, to: service.id) == nil else { return }
        try put(
            DataRequestRow(
                id: UUIDv7(at: now, random: (random.next(), random.next())), user: user.id,
                service: service.id, company: row.company, reason: question.reason,
                streams: false, asked: row.mark, isByNumber: question.asked.first == "#"),
            of: service, to: user)
    }

    /// Puts a request to a user, within the limits; a company has its own, so that it cannot take
    /// all places.
    func put(_ request: DataRequestRow, of service: Person, to user: Person) throws {
        let open = try transaction.openDataRequests(to: user.id, since: openSince)
        let own = open.count { $0.company == request.company }
        guard !open.contains(where: { $0.service == service.id }),
            try transaction.countRefusals(of: request.company, by: user.id)
                < BridgeSettings.maximumRefusals,
            open.count < BridgeSettings.maximumOpenRequests,
            own < BridgeSettings.maximumOpenRequestsOfCompany
        else { return }
        try transaction.insert(request)
        try log(.requested, of: user.id, by: row(of: service))
        try areas.notices.add(
            .consentRequested(request.id, service: service.name, name: service.displayName),
            for: user)
    }

    // MARK: Denied reads

    /// Records that a service tried to read without consent; in a later turn, since storing takes
    /// time, and whether or not the user exists.
    func noteDenial(of user: Name, to service: Person) {
        guard state.denials.count < Services.maximumDenials else { return }
        let due = now + .milliseconds(1 + Int64(random.next() % Services.longestDelay))
        state.denials.append((user: user, service: service.id, at: now, due: due))
    }

    func logDenials() throws {
        let due = state.denials.filter { $0.due <= now }
        guard !due.isEmpty else { return }
        state.denials.removeAll { $0.due <= now }
        for denial in due {
            // A service may have been deleted since.
            guard let user = memory.person(denial.user),
                let service = memory.people[denial.service], let row = state.services[service.id],
                // Only once in a row, so that a service cannot fill the log.
                try transaction.lastAccess(of: user.id, by: service.name) != .denied
            else { continue }
            try log(.denied, of: user.id, by: row, at: denial.at)
        }
    }

    // MARK: Bounds

    private static let day = Duration.seconds(86_400)
    /// Milliseconds.
    private static let longestDelay: UInt64 = 5_000
    /// Requests resolved per turn.
    private static let questionsAtATime = 20
    /// The maximum kept in memory; further ones are not recorded.
    private static let maximumDenials = 1_000
}
