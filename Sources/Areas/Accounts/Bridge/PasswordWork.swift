import Contract
import Tracking

/// Work on a password that takes too long for a turn: one turn requests it, it is done elsewhere,
/// and a later turn gets the ``PasswordOutcome``.
///
/// It carries everything that the later turn needs, so that no state is kept anywhere else.
package struct PasswordWork: Sendable {
    /// Assigned by the engine, in sequence.
    var id: UInt64 = 0
    let asker: Requester
    let purpose: Purpose
    /// The password that must match first.
    var check: (password: Password, against: PasswordHash)?
    /// The new password to hash.
    var make: (password: Password, salt: [UInt8], cost: PasswordHash.Cost)?

    /// What the directory is asked if the password is none of ours.
    var otherwise: DirectoryPassword?

    /// Who tries; nil where that is not known.
    var source: AttemptBook.Source? {
        if case .register(let registration) = purpose {
            return registration.visitor.map { .visitor($0) }
        }
        return purpose.attempt.flatMap { $0.source == .visitor(nil) ? nil : $0.source }
    }

    /// What happens with the outcome.
    enum Purpose: Sendable {
        case register(GuestCommand.Registration)
        /// Without a target, there is no such user, or none with a password.
        case logIn(Target?, AttemptBook.Attempt, device: Name, code: SecondFactorCode?)
        case recover(GuestCommand.Recovery, AttemptBook.Attempt)
        /// If a device is named, all others are logged out.
        case setPassword(Target?, AttemptBook.Attempt, endingAllBut: DeviceID?)
        case update(Target?, AttemptBook.Attempt, AccountCommand.Change)
        case startSecondFactor(Target?, AttemptBook.Attempt)
        case stopSecondFactor(Target?, AttemptBook.Attempt, SecondFactorCode)
        case addPasskey(Target?, AttemptBook.Attempt, NewPasskey)
        case removePasskey(Target?, AttemptBook.Attempt, UUIDv7)
        case eraseAccount(Target?, AttemptBook.Attempt)

        /// Whose password it has to be.
        var target: Target? {
            switch self {
            case .register, .recover: nil
            case .logIn(let target, _, _, _), .setPassword(let target, _, _),
                .update(let target, _, _), .startSecondFactor(let target, _),
                .stopSecondFactor(let target, _, _), .addPasskey(let target, _, _),
                .removePasskey(let target, _, _), .eraseAccount(let target, _):
                target
            }
        }

        var attempt: AttemptBook.Attempt? {
            switch self {
            case .register: nil
            case .logIn(_, let attempt, _, _), .recover(_, let attempt),
                .setPassword(_, let attempt, _), .update(_, let attempt, _),
                .startSecondFactor(_, let attempt), .stopSecondFactor(_, let attempt, _),
                .addPasskey(_, let attempt, _), .removePasskey(_, let attempt, _),
                .eraseAccount(_, let attempt):
                attempt
            }
        }
    }

    /// The user whose password was checked, and the hash as it was then: by now the password may be
    /// another one, or the account somebody else's.
    struct Target: Sendable {
        let user: UserID
        let hash: String
    }

    /// Does the work, which takes a tenth of a second or more.
    package func perform() -> PasswordOutcome {
        var outcome = PasswordOutcome(
            work: id, asker: asker, purpose: purpose, otherwise: otherwise)
        do {
            if let check { outcome.isRight = try check.against.matches(check.password) }
            if outcome.isRight, let make {
                outcome.made = try PasswordHash(make.password, salt: make.salt, make.cost).text
            }
        } catch {
            // There is not enough memory, or the row is damaged: the login fails.
            outcome.isRight = false
            outcome.hasFailed = true
        }
        return outcome
    }
}

/// The result of a ``PasswordWork``.
package struct PasswordOutcome: Sendable {
    let work: UInt64
    let asker: Requester
    let purpose: PasswordWork.Purpose
    let otherwise: DirectoryPassword?
    /// True also if there was nothing to check.
    var isRight = true
    /// The hash of the new password, as it is to be stored.
    var made: String?
    /// Whether the work could not be done.
    var hasFailed = false
}
