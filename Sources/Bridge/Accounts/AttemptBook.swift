import Contract
import Tracking

/// Slows down whoever guesses passwords or collects names: by the account that is tried, and by
/// the address from which it is tried, where that is known.
///
/// Not in the store: a restart forgets. An attempt of a turn that failed stays counted.
final class AttemptBook {
    private var accounts = AttemptLimiter<Account>()
    private var addresses = AttemptLimiter<NetworkAddress>()
    private var registrations = AttemptLimiter<NetworkAddress>()
    /// When the last registrations began, of everybody.
    private var recent: [Timestamp] = []

    /// Registrations of everybody in a minute.
    static let maximumRegistrations = 60

    /// Which account is tried, there or not.
    enum Account: Hashable, Sendable {
        case user(UserID)
        /// Of whom nobody is called, in small letters.
        case nobody(String)
    }

    /// An attempt that has begun.
    struct Attempt: Sendable {
        let account: Account
        let address: NetworkAddress?
    }

    /// - Throws: `too-many-attempts`; then nothing was counted.
    func begin(_ account: Account, from address: NetworkAddress?, at now: Timestamp)
        throws(Problem) -> Attempt
    {
        let waits = [
            accounts.wait(of: account, at: now),
            address.flatMap { addresses.wait(of: $0, at: now) },
        ]
        if let wait = waits.compactMap({ $0 }).max() { throw AttemptBook.problem(wait) }
        accounts.begin(account, at: now)
        if let address { addresses.begin(address, at: now) }
        return Attempt(account: account, address: address)
    }

    /// The account's owner it was. The address stays in the book with what it did to others.
    func succeed(_ attempt: Attempt) {
        accounts.forget(attempt.account)
        if let address = attempt.address { addresses.takeBack(address) }
    }

    /// Accounts and addresses that were forgotten before their time, for want of room.
    var forgotten: Int { accounts.forgotten + addresses.forgotten + registrations.forgotten }

    /// It was not evaluated.
    func takeBack(_ attempt: Attempt) {
        accounts.takeBack(attempt.account)
        if let address = attempt.address { addresses.takeBack(address) }
    }

    /// - Throws: `too-many-attempts`; then nothing was counted.
    func beginRegistration(from address: NetworkAddress?, at now: Timestamp) throws(Problem) {
        if let address, let wait = registrations.wait(of: address, at: now) {
            throw AttemptBook.problem(wait)
        }
        recent.removeAll { $0 > now || now >= $0 + .seconds(60) }
        if recent.count >= AttemptBook.maximumRegistrations, let first = recent.first {
            throw AttemptBook.problem(first + .seconds(60) - now)
        }
        recent.append(now)
        if let address { registrations.begin(address, at: now) }
    }

    /// It came to nothing through no fault of theirs.
    func takeBackRegistration(from address: NetworkAddress?) {
        if let address { registrations.takeBack(address) }
        if !recent.isEmpty { recent.removeLast() }
    }

    private static func problem(_ wait: Duration) -> Problem {
        let seconds = (wait.milliseconds + 999) / 1000
        return Problem(.tooManyAttempts, "Try again in \(seconds) s.")
    }
}
