import Contract
import Store
import Tracking

extension Accounts {
    // MARK: Requesting a check

    /// - Throws: `too-many-attempts`.
    func begin(_ account: AttemptBook.Account, from source: AttemptBook.Source)
        throws -> AttemptBook.Attempt
    {
        var attempt = AttemptBook.Attempt(account: account, source: source, isStrange: false)
        let refusal = turn.decisions.refuses {
            do throws(Problem) {
                attempt = try authentication.attempts.begin(account, from: source, at: now)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        return attempt
    }

    /// Returns the hash to compare a password with, and its owner; without a password, a hash that
    /// nothing matches.
    func password(of person: Person?) throws -> (target: PasswordWork.Target?, hash: PasswordHash) {
        guard let person,
            let text = try transaction.passwordHash(of: person.id), let hash = PasswordHash(text)
        else { return (nil, authentication.nobody) }
        return (PasswordWork.Target(user: person.id, hash: text), hash)
    }

    /// Requests a password check for a logged-in user.
    ///
    /// - Parameter make: the new password, if one is to be set.
    func checkPassword(
        _ password: Password, of person: Person, make: Password? = nil, _ asker: Requester,
        _ device: Device,
        then purpose: (PasswordWork.Target?, AttemptBook.Attempt) -> PasswordWork.Purpose
    ) throws {
        let attempt = try begin(.user(person.id), from: .device(device.id))
        if let account = directoryAccount(of: person) {
            let target = PasswordWork.Target(user: person.id, hash: "")
            return try checkWithDirectory(
                password, of: account, asker, attempt, purpose(target, attempt))
        }
        let kept = try self.password(of: person)
        var work = PasswordWork(
            asker: asker, purpose: purpose(kept.target, attempt), check: (password, kept.hash))
        if let make { work.make = (make, PasswordHash.salt(using: &random), authentication.cost) }
        try ask(work, attempt)
    }

    /// - Parameter attempt: is taken back if the work cannot be accepted.
    func ask(_ work: PasswordWork, _ attempt: AttemptBook.Attempt? = nil) throws {
        let refusal = turn.decisions.refuses {
            hasRoom(for: work)
                ? nil
                : Problem(
                    .tooManyAttempts, "Too many people are logging in at the moment. Try again.")
        }
        if let refusal {
            count("passwords-put-off")
            if let attempt { authentication.attempts.takeBack(attempt) }
            throw refusal
        }
        turn.work.append(work)
    }

    /// Whether there is room. Half of the places are reserved for sources that have none, so that a
    /// newcomer finds one however many others keep trying. Directory users have places of their own
    /// and take none from others.
    private func hasRoom(for work: PasswordWork) -> Bool {
        let others = turn.waitingWork.filter {
            $0.kind == .passwords && $0.isOfDirectory == work.isOfDirectory
        }
        guard others.count < BridgeSettings.maximumPasswordWork else { return false }
        guard others.count >= BridgeSettings.maximumPasswordWork / 2, let source = work.source
        else { return true }
        return !others.contains { $0.source == source }
    }

    // MARK: Handling the outcome

    func take(_ outcome: any WorkOutcome) throws -> Bool {
        switch outcome {
        case let outcome as PasswordOutcome:
            var isKept = false
            if case .register = outcome.purpose { isKept = true }
            try turn.goOn(with: outcome.asker, isKept: isKept) { try finish(outcome) }
        case let outcome as DirectoryOutcome: try finish(outcome)
        default: return false
        }
        return true
    }

    /// - Returns: nil if the directory has to be asked.
    private func finish(_ outcome: PasswordOutcome) throws -> [UInt8]? {
        guard !outcome.hasFailed else { throw Problem(.tooManyAttempts, "Try again later.") }
        switch outcome.purpose {
        case .register(let registration):
            return try finishRegistration(registration, passwordHash: try newHash(outcome))
        case .recover(let recovery, let attempt):
            return try finishRecovery(recovery, attempt, passwordHash: try newHash(outcome))
        case .logIn:
            guard let person = try owner(outcome) else {
                guard let typed = outcome.otherwise else { throw Accounts.wrongPassword }
                try askDirectory(typed, outcome.asker, outcome.purpose)
                return nil
            }
            return try finish(outcome.purpose, of: outcome.asker, for: person)
        case .setPassword(_, let attempt, let kept):
            let person = try confirmed(outcome, attempt)
            return try set(try newHash(outcome), of: person, endingAllBut: kept)
        case .update(_, let attempt, _), .startSecondFactor(_, let attempt),
            .stopSecondFactor(_, let attempt, _), .addPasskey(_, let attempt, _),
            .removePasskey(_, let attempt, _), .eraseAccount(_, let attempt):
            return try finish(
                outcome.purpose, of: outcome.asker, for: try confirmed(outcome, attempt))
        }
    }

    /// Executes the request after the password check.
    func finish(_ purpose: PasswordWork.Purpose, of asker: Requester, for person: Person) throws
        -> [UInt8]
    {
        switch purpose {
        case .logIn(_, let attempt, let device, let code):
            if try isRedelivered(asker, person, device: device) {
                authentication.attempts.takeBack(attempt)
                count("requests-repeated")
                throw Accounts.loggedInBefore
            }
            try checkLogin(code, of: person, attempt)
            if attempt.account == .user(person.id) {
                authentication.attempts.succeed(attempt)
            } else {
                // The login as typed names another account here, or none: its attempts still count,
                // although the directory accepted the password.
                authentication.attempts.takeBack(attempt)
            }
            let answer = try finishLogin(person, device: device)
            try remember(asker, person, device: device)
            return answer
        case .update(_, _, let change):
            if let email = change.email { try checkOwner(of: email, is: person) }
            return try apply(change, to: person)
        case .startSecondFactor: return try startSecondFactor(of: person)
        case .stopSecondFactor(_, _, let code): return try stopSecondFactor(code, of: person)
        case .addPasskey(_, _, let new): return try add(new, of: person)
        case .removePasskey(_, _, let id): return try removePasskey(id, of: person)
        case .eraseAccount: return try turn.eraseAccount(person)
        case .register, .recover, .setPassword:
            preconditionFailure("these make a password")
        }
    }

    private func set(_ hash: String, of person: Person, endingAllBut kept: DeviceID?)
        throws -> [UInt8]
    {
        try setPassword(hash, of: person)
        return AccountResult.ended.bytes(of: try kept.map { try endOthers(of: person, but: $0) })
    }

    /// Returns the person if the password was right and has not been changed since; the attempt no
    /// longer counts.
    private func confirmed(_ outcome: PasswordOutcome, _ attempt: AttemptBook.Attempt)
        throws -> Person
    {
        guard let person = try owner(outcome) else { throw Accounts.wrongPassword }
        authentication.attempts.succeed(attempt)
        return person
    }

    /// Returns the person if the password was right and has not been changed since.
    private func owner(_ outcome: PasswordOutcome) throws -> Person? {
        guard outcome.isRight, let target = outcome.purpose.target,
            let person = memory.people[target.user],
            try password(of: person).target?.hash == target.hash
        else { return nil }
        return person
    }

    static let wrongPassword = Problem(
        .wrongCredentials, "The user name or the password is wrong.")

    private func newHash(_ outcome: PasswordOutcome) throws -> String {
        guard let made = outcome.made else { throw Problem(.tooManyAttempts, "Try again later.") }
        return made
    }
}
