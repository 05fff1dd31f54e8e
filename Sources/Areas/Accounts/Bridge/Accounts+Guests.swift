import Contract
import JSON
import MQTT
import Store
import Tracking

extension Accounts {
    /// Answers a client that is not logged in. Nothing is remembered: a request that a guest
    /// repeats is done again.
    func takeGuestRequest(_ message: Message, _ method: String, from guest: ClientID)
        throws(StoreError)
    {
        count("requests-of-guests")
        var asker = turn.asker(message, .guest(guest)) { suffix in
            .guestReplies(guest, suffix: suffix)
        }
        if message.payload.count > PayloadLimits.guest {
            let limit = PayloadLimits.guest
            asker.refusal = Problem(
                .tooLarge, "A guest's request may have at most \(limit) bytes.")
        }
        guard let (asker, request) = try turn.read(message, from: asker) else { return }
        // However many ask for something, a monitor learns that the bridge is well.
        let isAdmitted =
            method == Method.health.name
            || turn.decisions.admits { memory.guests.take(.request, at: now) }
        let outcome = try turn.outcome { () throws(Refused) in
            guard isAdmitted else {
                throw .problem(
                    Problem(.tooManyAttempts, "Too many requests at the moment. Try again."))
            }
            if turn.lacksRoom(for: method) { throw .problem(Turn.noRoom) }
            let address = authentication.connections.address(of: guest)
            let registers = Method.named(method)?.registers ?? false
            if registers {
                try checkRegistration(method, request)
            }
            let command: GuestCommand
            do throws(Problem) {
                command = try GuestCommand(
                    method: method, request, at: now, settings.limits)
            } catch {
                guard registers, error.kind == .invalid else {
                    throw .problem(error)
                }
                throw try addingTaken(to: error, request, from: address)
            }
            // If the address is known, what clients say about themselves does not tell them apart.
            func source(_ visitor: String?) -> AttemptBook.Source {
                address.map { .address($0) } ?? .visitor(visitor)
            }
            switch command {
            case .register(let registration):
                if let token = registration.invitation {
                    try areas.invitations.check(token, from: source(nil))
                }
                try register(registration, from: address, asker)
            case .logIn(let login): try logIn(login, from: source(login.visitor), asker)
            case .recover(let recovery):
                try recover(recovery, from: source(recovery.visitor), asker)
            case .forgotten(let login, let visitor):
                return try askForLink(login, from: source(visitor))
            case .verify(let link, let visitor):
                return try verifyEmail(link, from: source(visitor))
            case .invitation(let token, let visitor):
                return try areas.invitations.show(token, to: nil, from: source(visitor))
            case .openShare(let link, let visitor):
                return try areas.shareLinks.open(link, from: source(visitor))
            case .passkeyChallenge: return try passkeyChallenge()
            case .logInByPasskey(let login): return try logIn(login, from: source(login.visitor))
            case .runs(let query): return areas.runs.list(query)
            case .run(let id): return try areas.runs.show(id, to: nil)
            case .runResults(let query): return try areas.runs.results(query)
            case .health: return try turn.proveHealth()
            }
            return nil
        }
        if let outcome { try turn.reply(to: asker, outcome) }
    }

    // MARK: Registering

    /// Whether accounts are created by whoever asks: before anything is said about names.
    private func checkRegistration(_ method: String, _ request: Request) throws(Refused) {
        let detail: String
        switch settings.accounts.registration {
        case .open: return
        case .invitation where method == Accounts.ofPeople:
            if request.fields["invitation"] != nil { return }
            detail = "Only who is invited can create an account: open the link of an invitation."
        case .invitation, .closed: detail = "Accounts are made by whoever runs this server."
        }
        throw .problem(Problem(.registrationClosed, detail))
    }

    private static let ofPeople = "account.register"

    /// Everything that is wrong with a registration: what cannot be read, and what is taken as far
    /// as it can. Whoever asks too often is told no more of that until the form is right.
    private func addingTaken(
        to problem: Problem, _ request: Request, from address: NetworkAddress?
    ) throws(Refused) -> Refused {
        let (user, email) = GuestCommand.wanted(request)
        // Who is invited is not looked at before the form is right, and nobody tries names without.
        guard user != nil || email != nil, settings.accounts.registration == .open else {
            return .problem(problem)
        }
        let refusal = turn.decisions.refuses {
            authentication.attempts.mayLookUp(from: address, at: now) ? nil : problem
        }
        guard refusal == nil else { return .problem(problem) }
        return .problem(Problem(invalid: problem.errors + (try taken(user, email))))
    }

    private func register(
        _ registration: GuestCommand.Registration, from address: NetworkAddress?, _ asker: Requester
    ) throws(Refused) {
        try beginRegistration(from: address)
        try checkFree(registration.user, registration.email)
        let salt = PasswordHash.salt(using: &random)
        let work = PasswordWork(
            asker: asker,
            purpose: .register(registration),
            make: (registration.password, salt, authentication.cost))
        do throws(Refused) {
            try ask(work)
        } catch {
            authentication.attempts.takeBackRegistration(from: address)
            throw error
        }
    }

    private func beginRegistration(from address: NetworkAddress?) throws(Refused) {
        let refusal = turn.decisions.refuses {
            do throws(Problem) {
                try authentication.attempts.beginRegistration(from: address, at: now)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw .problem(refusal) }
    }

    /// Whether a new account may have the name.
    func checkFree(_ name: Name, field: String) throws(Refused) {
        guard try taken(name, nil).isEmpty else {
            throw .problem(Problem(invalid: [.init(field: field, reason: "is taken")]))
        }
    }

    private func checkFree(_ user: Name, _ email: EmailAddress) throws(Refused) {
        let errors = try taken(user, email)
        if !errors.isEmpty { throw .problem(Problem(invalid: errors)) }
    }

    private func taken(_ user: Name?, _ email: EmailAddress?)
        throws(Refused) -> [Problem.FieldError]
    {
        var errors: [Problem.FieldError] = []
        if let user {
            // Nobody may learn that the name belonged to a deleted account.
            let isRetired = try stored { transaction throws(StoreError) in
                try transaction.isRetired(user)
            }
            if memory.account(user) != nil || isRetired {
                errors.append(.init(field: "username", reason: "is taken"))
            }
        }
        if let email, memory.account(email: email.text) != nil {
            errors.append(.init(field: "email", reason: "is taken"))
        }
        return errors
    }

    /// Creates the account, unless somebody else has taken the name meanwhile, or the invitation.
    func finishRegistration(_ registration: GuestCommand.Registration, passwordHash: String)
        throws(Refused) -> [UInt8]
    {
        let (user, email) = (registration.user, registration.email)
        let owner = registration.owner
        try checkFree(user, email)
        if let token = registration.invitation { try areas.invitations.check(token, from: nil) }
        let id = try stored { transaction throws(StoreError) in
            try transaction.insertUser(
                user, displayName: owner.display.text, firstName: owner.name?.first.text,
                lastName: owner.name?.last.text, email: email.text, passwordHash: passwordHash,
                ownTracksPublishIsSOS: false, kind: owner.kind, at: now)
        }
        if let version = settings.accounts.termsVersion {
            try stored { transaction throws(StoreError) in
                try transaction.acceptTerms(version, by: id, at: now)
            }
        }
        let person = Person(
            UserRow(
                id: id, name: user, displayName: owner.display.text,
                firstName: owner.name?.first.text, lastName: owner.name?.last.text,
                email: email.text, ownTracksPublishIsSOS: false, createdAt: now,
                kind: owner.kind),
            settings.fairness)
        memory.add(person)
        if let token = registration.invitation {
            _ = try areas.invitations.accept(.token(token), person)
        }
        try stored { _ throws(StoreError) in try sendConfirmation(to: person) }
        count("registrations")
        return JSONWriter.object { json in
            json.key("user")
            json.string(user.text)
        }
    }

    // MARK: Logging in

    /// Whether the account exists makes no observable difference, not even in timing. The directory
    /// is asked if the password is not one of ours, whether or not there is such an account.
    private func logIn(
        _ login: GuestCommand.Login, from source: AttemptBook.Source, _ asker: Requester
    ) throws(Refused) {
        let person = person(logInAs: login.login)
        let attempt = try begin(account(attempted: login.login), from: source)
        let password = try password(of: person)
        var work = PasswordWork(
            asker: asker,
            purpose: .logIn(
                password.target, attempt, device: login.device, code: login.code),
            check: (login.password, password.hash))
        if settings.directory != nil {
            work.otherwise = DirectoryPassword(login.login, login.password)
        }
        try ask(work, attempt)
    }

    /// Whom a user name or an address means.
    func person(logInAs login: String) -> Person? {
        Name(login).map { memory.account($0) } ?? memory.account(email: login)
    }

    /// A login that has succeeded.
    struct Login {
        let user: Name
        let device: Name
        let token: DeviceToken
        /// The device that was logged out to make room.
        let ended: Name?
    }

    func finishLogin(_ person: Person, device name: Name) throws(Refused) -> [UInt8] {
        let login = try logIn(person, device: name)
        return JSONWriter.object { $0.login(login, root: topics.root, isNamed: false) }
    }

    /// Gives the device a token, and tells the person, whose password somebody else may know.
    func logIn(_ person: Person, device name: Name) throws(Refused) -> Login {
        let isFirst = person.devices.isEmpty
        let token = DeviceToken(user: person.name, device: name, using: &random)
        let ended = try setToken(token.hash, of: name, person, using: .kith)
        count("logins")
        if !isFirst {
            try stored { _ throws(StoreError) in
                try areas.notices.add(.newLogin(device: name), for: person)
            }
        }
        return Login(user: person.name, device: name, token: token, ended: ended?.name)
    }
}

extension JSONWriter {
    /// - Parameter isNamed: whether the user is written already.
    mutating func login(_ login: Accounts.Login, root: String, isNamed: Bool) {
        if !isNamed {
            key("user")
            string(login.user.text)
        }
        key("device")
        string(login.device.text)
        key("token")
        string(login.token.text)
        key("root")
        string(root)
        guard let ended = login.ended else { return }
        key("ended")
        string(ended.text)
    }
}
