import Contract
import Directory
import JSON
import Store
import Tracking

/// Logging in with an organisation's credentials: a directory checks the password, which Kith never
/// stores.
extension Accounts {
    /// Returns the account's directory entry; nil for an account with a password of this service.
    func directoryAccount(of person: Person) -> DirectoryAccountRow? { state.directory[person.id] }

    /// Returns the account that an attempt is counted for.
    func account(attempted login: String) -> AttemptBook.Account {
        if let person = person(logInAs: login) { return .user(person.id) }
        guard settings.directory != nil else { return .nobody(EmailAddress.folded(login)) }
        if let user = state.directory.user(typing: login) { return .user(user) }
        let key = DirectoryName.key(login)
        return .nobody(key.isEmpty ? EmailAddress.folded(login) : key)
    }

    // MARK: Questions

    /// Requests a password check by the directory; a later turn replies.
    func askDirectory(
        _ typed: DirectoryPassword, _ asker: Requester, _ purpose: PasswordWork.Purpose
    ) throws {
        let refusal = turn.decisions.refuses {
            let load = turn.waitingWork.count { $0.kind == .directory }
            guard load >= DirectoryLogin.maximumWork else { return nil }
            return Problem(
                .tooManyAttempts, "Too many people are logging in at the moment. Try again.")
        }
        if let refusal {
            count("directory-put-off")
            throw refusal
        }
        turn.work.append(DirectoryWork(question: .password(typed, asker, purpose)))
    }

    /// Requests a password check for a logged-in directory user.
    func checkWithDirectory(
        _ password: Password, of account: DirectoryAccountRow, _ asker: Requester,
        _ attempt: AttemptBook.Attempt, _ purpose: PasswordWork.Purpose
    ) throws {
        guard let directory = settings.directory else {
            authentication.attempts.takeBack(attempt)
            throw Problem(
                .notAllowed,
                "This service no longer uses your organisation's directory: ask its operator "
                    + "to send you a password link.")
        }
        let entry = directory.settings.canSearch ? EntryID(stored: account.entry) : nil
        guard let typed = DirectoryPassword(account.login, password, entry: entry) else {
            throw Accounts.wrongPassword
        }
        do {
            try askDirectory(typed, asker, purpose)
        } catch {
            authentication.attempts.takeBack(attempt)
            throw error
        }
    }

    // MARK: Answers

    func finish(_ outcome: DirectoryOutcome) throws {
        switch outcome.question {
        case .password(_, let asker, let purpose):
            try turn.goOn(with: asker) { try finish(outcome.answer, purpose, of: asker) }
        case .presence(let asked): try take(outcome.answer, about: asked)
        }
    }

    private func finish(
        _ answer: DirectoryOutcome.Answer, _ purpose: PasswordWork.Purpose, of asker: Requester
    ) throws -> [UInt8] {
        switch answer {
        case .entry(let entry):
            let person =
                try isLogin(purpose)
                ? owner(of: entry) : confirmed(entry, purpose)
            try noteConfirmed(person, entry)
            return try finish(purpose, of: asker, for: person)
        case .refused, .present: throw Accounts.wrongPassword
        case .failed:
            count("directory-failures")
            // A login attempt stays counted: the password was also compared with ours.
            if !isLogin(purpose), let attempt = purpose.attempt {
                authentication.attempts.takeBack(attempt)
            }
            throw Accounts.unreachable
        }
    }

    static let unreachable = Problem(
        .directoryUnreachable,
        "Your organisation's directory does not answer, so its passwords cannot be checked now. "
            + "Try again later. Passwords set on this service still work.")

    private func isLogin(_ purpose: PasswordWork.Purpose) -> Bool {
        if case .logIn = purpose { true } else { false }
    }

    /// Returns the person who asked, if the entry is theirs.
    private func confirmed(_ entry: DirectoryEntry, _ purpose: PasswordWork.Purpose)
        throws -> Person
    {
        guard let target = purpose.target, let person = memory.people[target.user],
            directoryAccount(of: person)?.entry == entry.id.text
        else { throw Accounts.wrongPassword }
        if let attempt = purpose.attempt { authentication.attempts.succeed(attempt) }
        return person
    }

    private func noteConfirmed(_ person: Person, _ entry: DirectoryEntry) throws {
        guard var account = directoryAccount(of: person), let directory = settings.directory else {
            return
        }
        account.login = entry.user
        (account.confirmedAt, account.missed, account.goneAt) = (now, 0, nil)
        account.due = nextDue(now, directory)
        try save(account)
    }

    func save(_ account: DirectoryAccountRow) throws {
        try transaction.save(account)
        state.directory.set(account)
    }

    /// Returns when an account that was confirmed now is next due for a check.
    func nextDue(_ now: Timestamp, _ directory: DirectoryLogin) -> Timestamp {
        now + (directory.settings.canSearch ? directory.checkEvery : directory.tokenLifetime)
    }

    // MARK: Account ownership

    /// Returns the entry's account, creating it if necessary.
    private func owner(of entry: DirectoryEntry) throws -> Person {
        if let account = state.directory.account(entry: entry.id.text),
            let person = memory.people[account.user]
        {
            return person
        }
        return try makeAccount(for: entry)
    }

    /// Creates an account; never takes over an existing one, neither by its name nor by its
    /// address.
    private func makeAccount(for entry: DirectoryEntry) throws -> Person {
        guard let directory = settings.directory else { throw Accounts.unreachable }
        let name = try freeName(for: entry)
        var (first, last) = (shown(entry.firstName), shown(entry.lastName))
        let display: String
        do throws(DisplayName.Reason) {
            display =
                first == nil && last == nil
                ? name.text : try PersonalName.display(first, last).text
        } catch {
            (first, last, display) = (nil, nil, name.text)
        }
        let email = address(entry.mail).flatMap { memory.account(email: $0) == nil ? $0 : nil }
        let user = try transaction.insertUser(
            name, displayName: display, firstName: first, lastName: last, email: email,
            ownTracksPublishIsSOS: false, at: now)
        let person = Person(
            UserRow(
                id: user, name: name, displayName: display, firstName: first, lastName: last,
                email: email, ownTracksPublishIsSOS: false, createdAt: now),
            settings.fairness)
        memory.add(person)
        try save(
            DirectoryAccountRow(
                user: user, entry: entry.id.text, login: entry.user, confirmedAt: now,
                due: nextDue(now, directory)))
        count("directory-registrations")
        return person
    }

    /// Returns the first name that is neither in use nor retired.
    private func freeName(for entry: DirectoryEntry) throws -> Name {
        for name in DirectoryName.candidates(for: entry.user, entry: entry.id.text) {
            if let other = memory.account(name) {
                guard directoryAccount(of: other) != nil else { throw Accounts.nameTaken }
                continue
            }
            let isRetired = try transaction.isRetired(name)
            if !isRetired { return name }
        }
        throw Accounts.nameTaken
    }

    private static let nameTaken = Problem(
        .notAllowed,
        "Your organisation knows you, but an account with your user name already exists here. "
            + "If it is yours, log in with its password. Otherwise ask the operator of this "
            + "service.")

    private func shown(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        do throws(DisplayName.Reason) { return try DisplayName(text).text } catch { return nil }
    }

    private func address(_ text: String?) -> String? {
        guard let text else { return nil }
        do throws(DisplayName.Reason) { return try EmailAddress(text).text } catch { return nil }
    }

    // MARK: Organisation rules

    /// Refuses to set a password for an account whose organisation provides it. Once the directory
    /// is no longer configured, setting one turns the account into an account of this service.
    func refuseIfOrganisations(_ person: Person) throws {
        guard settings.directory != nil, directoryAccount(of: person) != nil else { return }
        throw Problem(
            .notAllowed, "This account uses the organisation's password: change it there.")
    }

    func leaveDirectory(_ person: Person) throws {
        guard directoryAccount(of: person) != nil else { return }
        try transaction.deleteDirectoryAccount(of: person.id)
        state.directory.remove(person.id)
    }

    /// Whether a person who presents a passkey may log in: not if the organisation has removed
    /// them, or could not be asked for too long.
    func mayEnter(_ person: Person) -> Bool {
        guard let account = directoryAccount(of: person) else { return true }
        guard account.goneAt == nil else { return false }
        guard let directory = settings.directory, !directory.settings.canSearch else { return true }
        return now < account.confirmedAt + directory.tokenLifetime
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        state.directory.remove(person.id)
    }
}
