import Contract
import Tracking

/// Something to be found out about a password that takes too long for a turn: a turn asks for
/// it, it is done elsewhere, and a later turn gets the ``PasswordOutcome``.
///
/// It carries everything that the later turn needs, so that nothing waits anywhere else.
package struct PasswordWork: Sendable {
    /// Given by the engine; one after the other.
    var id: UInt64 = 0
    let asker: Requester
    let purpose: Purpose
    /// What has to be right first.
    var check: (password: Password, against: PasswordHash)?
    /// What is to be kept from then on.
    var make: (password: Password, salt: [UInt8], cost: PasswordHash.Cost)?

    /// How it goes on.
    enum Purpose: Sendable {
        case register(Name, EmailAddress, PersonalName)
        /// No target: there is no such user, or none with a password.
        case logIn(Target?, AttemptBook.Attempt, device: Name)
        /// Where a device is named, all others are logged out.
        case setPassword(Target?, AttemptBook.Attempt, endingAllBut: DeviceID?)
        case eraseAccount(Target?, AttemptBook.Attempt)
    }

    /// Whose password was checked, and how it was kept then: it may be another one by now, or
    /// the account another's.
    struct Target: Sendable {
        let user: UserID
        let hash: String
    }

    /// Takes a tenth of a second or more.
    package func perform() -> PasswordOutcome {
        var outcome = PasswordOutcome(work: id, asker: asker, purpose: purpose)
        do {
            if let check { outcome.isRight = try check.against.matches(check.password) }
            if outcome.isRight, let make {
                outcome.made = try PasswordHash(make.password, salt: make.salt, make.cost).text
            }
        } catch {
            // There is not enough memory, or the row is damaged: nobody gets in.
            outcome.isRight = false
            outcome.hasFailed = true
        }
        return outcome
    }
}

/// What was found out.
package struct PasswordOutcome: Sendable {
    let work: UInt64
    let asker: Requester
    let purpose: PasswordWork.Purpose
    /// Also where there was nothing to check.
    var isRight = true
    /// How the new password is to be kept.
    var made: String?
    /// It could not be done.
    var hasFailed = false
}
