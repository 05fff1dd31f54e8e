import Contract
import Tracking

/// Password hashing, which takes too long for a turn: one turn requests it, another thread does it,
/// and a later turn receives the ``PasswordOutcome``.
///
/// It carries everything that the later turn needs, so that no state is kept anywhere else.
package struct PasswordWork: RequestedWork {
    var id: UInt64 = 0
    let asker: Requester
    let purpose: Purpose
    /// The password that must match first.
    var check: (password: Password, against: PasswordHash)?
    /// The new password to hash.
    var make: (password: Password, salt: [UInt8], cost: PasswordHash.Cost)?

    /// The question to the directory if the password is not one of ours.
    var otherwise: DirectoryPassword?

    var waiting: WaitingWork? {
        WaitingWork(
            kind: .passwords, requester: asker, source: source, isOfDirectory: isOfDirectory)
    }

    /// The source of the attempt; nil if unknown.
    var source: AttemptBook.Source? {
        if case .register(let registration) = purpose {
            return registration.visitor.map { .visitor($0) }
        }
        return purpose.attempt.flatMap { $0.source == .visitor(nil) ? nil : $0.source }
    }

    /// The request to resume with the outcome.
    enum Purpose: Sendable {
        case register(AccountGuestCommand.Registration)
        /// Without a target, the user does not exist or has no password.
        case logIn(Target?, AttemptBook.Attempt, device: Name, code: SecondFactorCode?)
        case recover(AccountGuestCommand.Recovery, AttemptBook.Attempt)
        /// A named device stays logged in, and all others are logged out.
        case setPassword(Target?, AttemptBook.Attempt, endingAllBut: DeviceID?)
        case update(Target?, AttemptBook.Attempt, AccountCommand.Change)
        case startSecondFactor(Target?, AttemptBook.Attempt)
        case stopSecondFactor(Target?, AttemptBook.Attempt, SecondFactorCode)
        case addPasskey(Target?, AttemptBook.Attempt, NewPasskey)
        case removePasskey(Target?, AttemptBook.Attempt, UUIDv7)
        case eraseAccount(Target?, AttemptBook.Attempt)

        /// The owner that the password must have.
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

    /// The user whose password was checked, and the hash at that time: by now the password may have
    /// changed, or the account may belong to another person.
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
            // Out of memory, or the row is damaged: the login fails.
            outcome.isRight = false
            outcome.hasFailed = true
        }
        return outcome
    }
}

/// The result of a ``PasswordWork``.
package struct PasswordOutcome: RequestedOutcome {
    package static let kind: WorkKind? = .passwords

    let work: UInt64
    let asker: Requester
    let purpose: PasswordWork.Purpose
    let otherwise: DirectoryPassword?
    /// True also if there was nothing to check.
    var isRight = true
    /// The hash of the new password, in its stored form.
    var made: String?
    /// Whether the work could not be done.
    var hasFailed = false

    var requester: Requester? { asker }
}
