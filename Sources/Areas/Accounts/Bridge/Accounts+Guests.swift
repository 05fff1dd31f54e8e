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
            let command: GuestCommand
            do throws(Problem) {
                command = try GuestCommand(method: method, request)
            } catch {
                throw .problem(error)
            }
            let address = authentication.connections.address(of: guest)
            switch command {
            case .register(let registration):
                try register(registration, from: address, asker)
            case .logIn(let login):
                // If the address is known, what clients say about themselves does not tell them
                // apart.
                let source = address.map { AttemptBook.Source.address($0) }
                try logIn(login, from: source ?? .visitor(login.visitor), asker)
            case .invitation(let token, let visitor):
                let source = address.map { AttemptBook.Source.address($0) }
                return try areas.invitations.show(token, to: nil, from: source ?? .visitor(visitor))
            case .health: return try turn.proveHealth()
            }
            return nil
        }
        if let outcome { try turn.reply(to: asker, outcome) }
    }

    // MARK: Registering

    private func register(
        _ registration: GuestCommand.Registration, from address: NetworkAddress?, _ asker: Requester
    ) throws(Refused) {
        let refusal = turn.decisions.refuses {
            do throws(Problem) {
                try authentication.attempts.beginRegistration(from: address, at: now)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw .problem(refusal) }
        try checkFree(registration.user, registration.email)
        let salt = PasswordHash.salt(using: &random)
        let work = PasswordWork(
            asker: asker,
            purpose: .register(registration.user, registration.email, registration.name),
            make: (registration.password, salt, authentication.cost))
        do throws(Refused) {
            try ask(work)
        } catch {
            authentication.attempts.takeBackRegistration(from: address)
            throw error
        }
    }

    private func checkFree(_ user: Name, _ email: EmailAddress) throws(Refused) {
        var errors: [Problem.FieldError] = []
        // Nobody may learn that the name belonged to a deleted account.
        let isRetired = try stored { transaction throws(StoreError) in
            try transaction.isRetired(user)
        }
        if memory.person(user) != nil || isRetired {
            errors.append(.init(field: "username", reason: "is taken"))
        }
        if memory.person(email: email.text) != nil {
            errors.append(.init(field: "email", reason: "is taken"))
        }
        if !errors.isEmpty { throw .problem(Problem(invalid: errors)) }
    }

    /// Creates the account, unless somebody else has taken the name meanwhile.
    func finishRegistration(
        _ user: Name, _ email: EmailAddress, _ name: PersonalName, passwordHash: String
    ) throws(Refused) -> [UInt8] {
        try checkFree(user, email)
        let id = try stored { transaction throws(StoreError) in
            try transaction.insertUser(
                user, displayName: name.display.text, firstName: name.first.text,
                lastName: name.last.text, email: email.text, passwordHash: passwordHash,
                ownTracksPublishIsSOS: false, at: now)
        }
        memory.add(
            Person(
                UserRow(
                    id: id, name: user, displayName: name.display.text,
                    firstName: name.first.text, lastName: name.last.text, email: email.text,
                    ownTracksPublishIsSOS: false, createdAt: now),
                settings.fairness))
        count("registrations")
        return JSONWriter.object { json in
            json.key("user")
            json.string(user.text)
        }
    }

    // MARK: Logging in

    /// Whether the account exists makes no observable difference, not even in timing.
    private func logIn(
        _ login: GuestCommand.Login, from source: AttemptBook.Source, _ asker: Requester
    ) throws(Refused) {
        let person: Person?
        if let name = Name(login.login) {
            person = memory.person(name)
        } else {
            person = memory.person(email: login.login)
        }
        let account =
            person.map { AttemptBook.Account.user($0.id) }
            ?? .nobody(EmailAddress.folded(login.login))
        let attempt = try begin(account, from: source)
        let password = try password(of: person)
        try ask(
            PasswordWork(
                asker: asker,
                purpose: .logIn(password.target, attempt, device: login.device),
                check: (login.password, password.hash)),
            attempt)
    }

    func finishLogin(_ person: Person, device name: Name) throws(Refused) -> [UInt8] {
        let token = DeviceToken(user: person.name, device: name, using: &random)
        try setToken(token.hash, of: name, person, speaks: .kith)
        count("logins")
        return JSONWriter.object { json in
            json.key("user")
            json.string(person.name.text)
            json.key("device")
            json.string(name.text)
            json.key("token")
            json.string(token.text)
            json.key("root")
            json.string(topics.root)
        }
    }
}
