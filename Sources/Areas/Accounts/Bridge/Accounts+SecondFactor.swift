import Contract
import Store
import Tracking

/// The optional second factor: codes of an authenticator app.
extension Accounts {
    func hasSecondFactor(_ person: Person) throws -> Bool {
        try confirmedFactor(of: person) != nil
    }

    private func confirmedFactor(of person: Person) throws -> SecondFactorRow? {
        let row = try transaction.secondFactor(of: person.id)
        return row?.confirmedAt == nil ? nil : row
    }

    /// Checks the code of a login whose password was right, if one is required.
    ///
    /// - Throws: `second-factor-required` if it is missing; `wrong-credentials`, and the attempt
    ///   stays counted.
    func checkLogin(
        _ code: SecondFactorCode?, of person: Person, _ attempt: AttemptBook.Attempt
    ) throws {
        guard try hasSecondFactor(person) else { return }
        guard let code else {
            authentication.attempts.takeBack(attempt)
            throw Accounts.needsCode
        }
        try check(code, of: person)
    }

    static let needsCode = Problem(
        .secondFactorRequired, "Also send the code from your app, or a recovery code.")

    /// Uses up the code.
    ///
    /// - Throws: `wrong-credentials`; `too-many-attempts` after several wrong codes from any
    ///   source, since a client that gets this far knows the password.
    func check(_ code: SecondFactorCode, of person: Person) throws {
        guard let factor = try confirmedFactor(of: person) else {
            throw Problem(.notAllowed, "There is no second factor.")
        }
        try check(code, factor, of: person)
    }

    private func check(_ code: SecondFactorCode, _ factor: SecondFactorRow, of person: Person)
        throws
    {
        try turn.decisions.begin(try authentication.attempts.beginCode(of: person.id, at: now))
        let isRight: Bool
        switch code.kind {
        case .time(let text):
            let step = TimeCode.step(of: text, factor.secret, at: now, after: factor.lastStep)
            if let step { try transaction.noteStep(step, of: person.id) }
            isRight = step != nil
        case .recovery(let code): isRight = try transaction.useRecoveryCode(code, of: person.id)
        }
        guard isRight else {
            throw Problem(.wrongCredentials, "The code is wrong, or has been used.")
        }
        authentication.attempts.succeedCode(of: person.id)
    }

    // MARK: Turning it on and off

    /// Creates a secret, after the password check.
    func startSecondFactor(of person: Person) throws -> [UInt8] {
        guard try !hasSecondFactor(person) else {
            throw Problem(.notAllowed, "There already is a second factor: stop it first.")
        }
        let secret = TimeCode.secret(using: &random)
        try transaction.startSecondFactor(secret, of: person.id, at: now)
        return AccountResult.secret.bytes(of: (secret, person.name))
    }

    /// Turns it on: a valid code proves that the app has the secret.
    func confirmSecondFactor(_ code: SecondFactorCode, of person: Person) throws -> [UInt8] {
        let row = try transaction.secondFactor(of: person.id)
        guard let row, row.confirmedAt == nil, now < row.startedAt + Accounts.confirmationTime
        else {
            throw Problem(
                .notAllowed, "There is nothing to confirm: begin with account.totp.start.")
        }
        try check(code, row, of: person)
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(using: &random) }
        try transaction.confirmSecondFactor(of: person.id, codes, at: now)
        try areas.notices.add(.secondFactor(isOn: true), for: person)
        return AccountResult.recoveryCodes.bytes(of: codes)
    }

    /// The time that a secret waits for its first code.
    private static let confirmationTime = Duration.seconds(3600)

    /// Turns it off, after the password check.
    func stopSecondFactor(_ code: SecondFactorCode, of person: Person) throws -> [UInt8] {
        try check(code, of: person)
        return try removeSecondFactor(of: person)
    }

    func removeSecondFactor(of person: Person) throws -> [UInt8] {
        let wasOn = try hasSecondFactor(person)
        try transaction.deleteSecondFactor(of: person.id)
        if wasOn { try areas.notices.add(.secondFactor(isOn: false), for: person) }
        return Array("{}".utf8)
    }
}
