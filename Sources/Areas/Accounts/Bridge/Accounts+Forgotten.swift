import Contract
import Languages
import Limits
import Store
import Tracking

/// Password reset links by mail.
///
/// The requester learns nothing about any account: the answer is made, in the same steps for every
/// login, before the login is looked up; a later turn looks it up and submits a mail if one is due.
/// The link is created when the mail is submitted, so that its secret is never stored.
extension Accounts {
    /// Records a request for a link.
    func askForLink(_ login: String, from source: AttemptBook.Source) throws -> [UInt8] {
        guard settings.channels.sendsLinks else {
            throw Problem(
                .notAllowed, "This installation sends no links by mail: ask its operator for one.")
        }
        try turn.decisions.begin(try authentication.attempts.beginForgotten(from: source, at: now))
        let open = try transaction.openPasswordRequests(at: now)
        guard open.all < Accounts.maximumOpen else {
            throw Problem(.tooManyAttempts, "Too many requests at the moment. Try again.")
        }
        let id = UUIDv7(at: now, random: (random.next(), random.next()))
        let due = now + .milliseconds(1 + Int64(random.next() % Accounts.longestDelay))
        try transaction.insert(
            PasswordRequestRow(id: id, login: EmailAddress.folded(login), at: now, due: due))
        state.next = min(state.next ?? due, due)
        count("passwords-forgotten")
        return Array("{}".utf8)
    }

    /// Resolves some requests to users, and submits the mails that are due.
    func answerPasswordRequests() throws {
        guard let next = state.next, next <= now else { return }
        let underway = try transaction.openPasswordRequests(at: now).lent
        var room = Accounts.maximumUnderway - underway
        for request in try transaction.passwordRequests(dueAt: now, atMost: Accounts.atATime) {
            try answer(request, &room)
        }
        state.next = try transaction.nextPasswordRequest()
    }

    private func answer(_ request: PasswordRequestRow, _ room: inout Int) throws {
        var request = request
        if let login = request.login {
            guard let person = person(logInAs: login), try mayHaveLink(person) else {
                return try transaction.deletePasswordRequest(request.id)
            }
            (request.login, request.user) = (nil, person.id)
            try areas.notices.add(.passwordForgotten, for: person)
        }
        request.isLent = false
        request.due = nil
        if now < request.at + Accounts.awaitedFor, let user = request.user,
            let person = memory.people[user]
        {
            try handOver(&request, to: person, &room)
        }
        try transaction.save(request)
    }

    private func handOver(
        _ request: inout PasswordRequestRow, to person: Person, _ room: inout Int
    ) throws {
        guard room > 0 else {
            request.due = now + Accounts.pause
            return
        }
        let made =
            request.purpose == .email
            ? try mailConfirmation(of: person) : try mailRecovery(of: person)
        guard let mail = made else { return }
        room -= 1
        request.attempts += 1
        request.isLent = true
        request.due = now + Accounts.lentFor
        turn.work.append(delivery(of: mail, to: person, for: request))
    }

    /// Whether a link may be sent: a few a day, one at a time.
    private func mayHaveLink(_ person: Person) throws -> Bool {
        let known = try transaction.passwordRequests(of: person.id)
            .filter { $0.purpose == .forgotten && $0.at > now - Accounts.day }
        guard known.count < Accounts.perDay, known.allSatisfy({ $0.due == nil }) else {
            return false
        }
        return try addressForLinks(of: person) != nil
    }

    /// Makes the mail for a person who forgot the password, which invalidates earlier links of this
    /// kind.
    ///
    /// - Returns: nil if there is no address, or it was verified too recently.
    func mailRecovery(of person: Person) throws -> (to: String, link: AccountLink)? {
        guard let address = try addressForLinks(of: person) else { return nil }
        let link = AccountLink(.forgotten, using: &random)
        try transaction.setLink(
            link.hash, .forgotten, of: person.id, until: now + Accounts.lifetime(.forgotten))
        count("links")
        return (address, link)
    }

    // MARK: New addresses

    /// Sends a confirmation link to a new account's address. Such mails are limited, since anyone
    /// may have entered the address.
    func sendConfirmation(to person: Person) throws {
        guard settings.channels.sendsLinks, let email = person.email else { return }
        let channels = areas.channels.state
        let isSent = turn.decisions.admits {
            channels.sentCodes.take(EmailAddress.folded(email), by: person.id, at: now) == nil
        }
        guard isSent else { return count("codes-refused") }
        let id = UUIDv7(at: now, random: (random.next(), random.next()))
        try transaction.insert(PasswordRequestRow(id: id, confirming: person.id, at: now))
        state.next = min(state.next ?? now, now)
    }

    /// - Returns: nil if there is no address to confirm.
    private func mailConfirmation(of person: Person) throws -> (to: String, link: AccountLink)? {
        guard person.disabledAt == nil, let email = person.email,
            try transaction.standing(of: person.id).emailVerifiedAt == nil
        else { return nil }
        let link = AccountLink(.email, using: &random)
        try transaction.setLink(
            link.hash, .email, of: person.id, until: now + Accounts.lifetime(.email))
        count("links")
        return (email, link)
    }

    private func addressForLinks(of person: Person) throws -> String? {
        guard settings.directory == nil || directoryAccount(of: person) == nil else { return nil }
        guard person.disabledAt == nil, let email = person.email,
            let since = try transaction.standing(of: person.id).emailVerifiedAt,
            since <= now - settings.accounts.verifiedFor
        else { return nil }
        return email
    }

    private func delivery(
        of mail: (to: String, link: AccountLink), to person: Person, for request: PasswordRequestRow
    ) -> Delivery {
        let reader = Reader(person.profile.language ?? .english)
        let isNew = request.purpose == .email
        let message = ChannelMessage(
            id: "\(request.id)-\(request.attempts)", kind: isNew ? "address" : "password",
            title: settings.languages.say(
                Phrase(isNew ? .confirmTitle : .newPasswordTitle), to: reader),
            text: settings.languages.say(
                Phrase(
                    isNew ? .confirmAddress : .newPassword, ["user": .text(person.name.text)]),
                to: reader),
            at: now, view: mail.link.view)
        return Delivery(
            channel: request.id, user: person.name, kind: .mail, address: mail.to, publicKey: nil,
            secret: nil, pushKey: nil, message: message, urgency: .awaited,
            expiresAt: request.at + Accounts.awaitedFor)
    }

    /// Handles the outcome of a mail with a link.
    func take(_ outcome: DeliveryOutcome) throws -> Bool {
        guard var request = try transaction.passwordRequest(outcome.channel), request.isLent,
            outcome.message == "\(request.id)-\(request.attempts)"
        else { return false }
        request.isLent = false
        switch outcome.result {
        case .delivered, .failed(.gone, _), .failed(.unsendable, _): request.due = nil
        case .failed(_, let pause):
            let delay = Accounts.backoff.delay(after: request.attempts - 1)
            request.due = now + max(delay, min(pause ?? .zero, Accounts.awaitedFor))
        }
        try transaction.save(request)
        if let due = request.due { state.next = min(state.next ?? due, due) }
        return true
    }

    /// Deletes requests that no longer count.
    ///
    /// - Returns: whether there may be more.
    func sweepPasswordRequests(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let oldest = sweep.startedAt - Accounts.day
        return try transaction.deletePasswordRequests(from: oldest, atMost: limit) >= limit
    }

    // MARK: Bounds

    /// Open requests, over all users.
    static let maximumOpen = 1_000
    /// Mails with a link per person and day.
    static let perDay = 3
    private static let day = Duration.seconds(86_400)
    /// The time after the request for which the mail is worth sending.
    private static let awaitedFor = Duration.seconds(3_600)
    /// Milliseconds, an upper bound: a request is resolved after an unpredictable delay, because a
    /// turn that sends a mail takes longer and delays other requests measurably.
    private static let longestDelay: UInt64 = 20_000
    /// Requests per turn.
    private static let atATime = 20
    /// Mails being sent.
    private static let maximumUnderway = 16
    /// The delay of a mail that found no room.
    private static let pause = Duration.seconds(5)
    /// Longer than the longest transfer.
    private static let lentFor = Duration.seconds(120)
    private static let backoff = Backoff(from: .seconds(10), to: .seconds(600))
}
