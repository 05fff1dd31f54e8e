import Contract
import MQTT
import Store
import Tracking

extension Accounts {
    /// Answers a client that is not logged in. Guest requests are not remembered, so a repeated
    /// request is executed again, except a login with a password that the broker redelivers.
    func takeGuestRequest(_ message: Message, _ method: String, from guest: ClientID) throws {
        count("requests-of-guests")
        var sender = turn.asker(message, .guest(guest)) { suffix in
            .guestReplies(guest, suffix: suffix)
        }
        if message.payload.count > PayloadLimits.guest {
            let limit = PayloadLimits.guest
            sender.refusal = Problem(
                .tooLarge, "A guest's request may have at most \(limit) bytes.")
        }
        guard let (known, request) = try turn.read(message, from: sender) else { return }
        var asker = known
        (asker.key, asker.askedAt) = (turn.requestKey(message, request, from: guest), now)
        // Health checks are admitted under any load, so that a monitor learns that the bridge is
        // well.
        let isAdmitted =
            method == Method.health.name
            || turn.decisions.admits { memory.guests.take(.request, at: now) }
        let outcome = try turn.outcome {
            guard isAdmitted else {
                throw Problem(.tooManyAttempts, "Too many requests at the moment. Try again.")
            }
            if turn.lacksRoom(for: method) { throw Turn.noRoom }
            let address = authentication.connections.address(of: guest)
            let registration = Method.named(method).flatMap { $0.registers ? $0 : nil }
            if let registration { try checkRegistration(registration, request) }
            let command: GuestCommand
            do throws(Problem) {
                command = try GuestCommand(method: method, request, at: now, settings.limits)
            } catch {
                guard registration != nil, error.kind == .invalid else { throw error }
                throw try addingTaken(to: error, request, from: address)
            }
            if command.content is HealthCommand { return try turn.proveHealth() }
            // A known address takes precedence over the visitor that the client claims.
            let source: AttemptBook.Source =
                address.map { .address($0) } ?? .visitor(command.content.visitor)
            for area in areas.all {
                let answer = try area.performIfOwn(command.content, from: source, asker)
                if let answer { return answer }
            }
            throw Problem(.unknownMethod, "This service does not support \(command.method).")
        }
        if let outcome { try turn.reply(to: asker, outcome) }
    }

    func perform(
        _ command: AccountGuestCommand, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .register(let registration):
            // Not by the visitor that the client claims.
            let address: NetworkAddress? =
                if case .address(let address) = source { address } else { nil }
            if let token = registration.invitation {
                try areas.invitations.check(
                    token, from: address.map { .address($0) } ?? .visitor(nil))
            }
            try register(registration, from: address, asker)
        case .logIn(let login): try logIn(login, from: source, asker)
        case .recover(let recovery): try recover(recovery, from: source, asker)
        case .forgotten(let login, _): return try askForLink(login, from: source)
        case .verify(let link, _): return try verifyEmail(link, from: source)
        case .passkeyChallenge: return try passkeyChallenge()
        case .logInByPasskey(let login): return try logIn(login, from: source)
        }
        return nil
    }

    // MARK: Registering

    /// Checks whether registration is open to this request, before anything is said about names.
    private func checkRegistration(_ method: Method, _ request: Request) throws {
        let detail: String
        switch settings.accounts.registration {
        case .open: return
        // A company's form takes no invitation.
        case .invitation where method.ways.joined().contains(where: { $0.name == "invitation" }):
            if request.fields["invitation"] != nil { return }
            detail = "Accounts can only be created by invitation: open an invitation link."
        case .invitation, .closed: detail = "Accounts are created by the operator of this server."
        }
        throw Problem(.registrationClosed, detail)
    }

    /// Returns everything that is wrong with a registration: invalid fields, and names that are
    /// taken. A source with too many attempts learns only the former until the form is valid.
    private func addingTaken(
        to problem: Problem, _ request: Request, from address: NetworkAddress?
    ) throws -> Problem {
        let (user, email) = AccountGuestCommand.wanted(request)
        // Invitations are not looked up before the form is valid, and names cannot be probed
        // without one.
        guard user != nil || email != nil, settings.accounts.registration == .open else {
            return problem
        }
        let refusal = turn.decisions.refuses {
            authentication.attempts.mayLookUp(from: address, at: now) ? nil : problem
        }
        guard refusal == nil else { return problem }
        return Problem(invalid: problem.errors + (try taken(user, email)))
    }

    private func register(
        _ registration: AccountGuestCommand.Registration, from address: NetworkAddress?,
        _ asker: Requester
    ) throws {
        try beginRegistration(from: address)
        try checkFree(registration.user, registration.email)
        let salt = PasswordHash.salt(using: &random)
        let work = PasswordWork(
            asker: asker,
            purpose: .register(registration),
            make: (registration.password, salt, authentication.cost))
        do {
            try ask(work)
        } catch {
            authentication.attempts.takeBackRegistration(from: address)
            throw error
        }
    }

    private func beginRegistration(from address: NetworkAddress?) throws {
        try turn.decisions.begin(
            try authentication.attempts.beginRegistration(from: address, at: now))
    }

    private func checkFree(_ user: Name, _ email: EmailAddress) throws {
        let errors = try taken(user, email)
        if !errors.isEmpty { throw Problem(invalid: errors) }
    }

    private func taken(_ user: Name?, _ email: EmailAddress?) throws -> [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        if let user {
            if try turn.isTaken(user) {
                errors.append(.init(field: "username", reason: "is taken"))
            }
        }
        if let email, memory.account(email: email.text) != nil {
            errors.append(.init(field: "email", reason: "is taken"))
        }
        return errors
    }

    /// Creates the account, unless the name or the invitation has been taken in the meantime.
    func finishRegistration(_ registration: AccountGuestCommand.Registration, passwordHash: String)
        throws -> [UInt8]
    {
        let (user, email) = (registration.user, registration.email)
        let owner = registration.owner
        try checkFree(user, email)
        if let token = registration.invitation { try areas.invitations.check(token, from: nil) }
        let id = try transaction.insertUser(
            user, displayName: owner.display.text, firstName: owner.name?.first.text,
            lastName: owner.name?.last.text, email: email.text, passwordHash: passwordHash,
            ownTracksPublishIsSOS: false, kind: owner.kind, at: now)
        if let version = settings.accounts.termsVersion {
            try transaction.acceptTerms(version, by: id, at: now)
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
        try sendConfirmation(to: person)
        count("registrations")
        return AccountResult.user.bytes(of: user)
    }

    // MARK: Logging in

    /// Logs in. Whether the account exists makes no observable difference, not even in timing. If
    /// the password is not one of ours, the directory is asked, whether or not there is such an
    /// account.
    private func logIn(
        _ login: AccountGuestCommand.Login, from source: AttemptBook.Source, _ asker: Requester
    ) throws {
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

    /// Returns the person with that user name or address.
    func person(logInAs login: String) -> Person? {
        Name(login).map { memory.account($0) } ?? memory.account(email: login)
    }

    /// Returns whether the login was executed before the broker redelivered it: a killed broker
    /// restarts from an earlier state. A second token would log out the device that has the first.
    func isRedelivered(_ asker: Requester, _ person: Person, device name: Name) throws -> Bool {
        try person.device(named: name).map { try turn.isAnswered(asker, $0) } ?? false
    }

    static let loggedInBefore = Problem(
        .idAlreadyUsed,
        "This login was executed before the connection broke. Log in again, with a new id.")

    /// Remembers that the login was executed, but not its answer, which contains the token.
    func remember(_ asker: Requester, _ person: Person, device name: Name) throws {
        guard let key = asker.key, let device = person.device(named: name) else { return }
        try transaction.insertReply(
            Array("{}".utf8), to: key.text, of: device.id, at: asker.askedAt ?? now)
        try turn.forgetSurplusReplies(of: device.id, person)
    }

    func finishLogin(_ person: Person, device name: Name) throws -> [UInt8] {
        AccountResult.login.bytes(of: try logIn(person, device: name))
    }

    /// Gives the device a token, and notifies the person, in case someone else knows their
    /// password.
    func logIn(_ person: Person, device name: Name) throws -> AccountResult.Login {
        let isFirst = person.devices.isEmpty
        let token = DeviceToken(user: person.name, device: name, using: &random)
        let ended = try setToken(token.hash, of: name, person, using: .kith)
        count("logins")
        if !isFirst {
            try areas.notices.add(.newLogin(device: name), for: person)
        }
        return (token, topics.root, ended?.name)
    }
}
