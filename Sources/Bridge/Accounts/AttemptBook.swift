import Contract
import Tracking

/// Slows down whoever guesses passwords or collects names, and nobody else: by the account that is
/// tried together with whence it is tried, and by the address alone, where that is known. From
/// everywhere together an account may be tried more often, so that who fails on purpose locks
/// nobody out; whence its owner came before is not even counted there.
///
/// Not in the store: a restart forgets. An attempt of a turn that failed stays counted.
final class AttemptBook {
    private var pairs = AttemptLimiter<Pair>()
    private var addresses = AttemptLimiter<NetworkAddress>()
    private var accounts = AttemptLimiter<Account>(.ofAccount)
    private var registrations = AttemptLimiter<NetworkAddress>()
    private var owners = OwnerSources()
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

    /// Whence an account is tried.
    enum Source: Hashable, Sendable {
        case address(NetworkAddress)
        /// One of those for whom a program on this machine speaks, as it tells them apart; nil:
        /// it does not.
        case visitor(String?)
        /// One of the account's own: it has shown a token.
        case device(DeviceID)
    }

    private struct Pair: Hashable {
        let account: Account
        let source: Source
    }

    /// An attempt that has begun.
    struct Attempt: Sendable {
        let account: Account
        let source: Source
        /// Whether it counts among those from everywhere.
        let isStrange: Bool
    }

    /// - Throws: `too-many-attempts`; then nothing was counted.
    func begin(_ account: Account, from source: Source, at now: Timestamp)
        throws(Problem) -> Attempt
    {
        let pair = Pair(account: account, source: source)
        let attempt = Attempt(
            account: account, source: source, isStrange: !isOwn(source, account))
        let waits = [
            pairs.wait(of: pair, at: now),
            address(of: attempt).flatMap { addresses.wait(of: $0, at: now) },
            attempt.isStrange ? accounts.wait(of: account, at: now) : nil,
        ]
        if let wait = waits.compactMap({ $0 }).max() { throw AttemptBook.problem(wait) }
        pairs.begin(pair, at: now)
        if let address = address(of: attempt) { addresses.begin(address, at: now) }
        if attempt.isStrange { accounts.begin(account, at: now) }
        return attempt
    }

    private func isOwn(_ source: Source, _ account: Account) -> Bool {
        switch (source, account) {
        case (.device, _): true
        case (.address, .user(let user)), (.visitor, .user(let user)):
            owners.has(source, of: user)
        case (_, .nobody): false
        }
    }

    private func address(of attempt: Attempt) -> NetworkAddress? {
        if case .address(let address) = attempt.source { address } else { nil }
    }

    /// The account's owner it was. The address, and the account, stay in the book with what others
    /// did.
    func succeed(_ attempt: Attempt) {
        takeBack(attempt)
        pairs.forget(Pair(account: attempt.account, source: attempt.source))
        if case .user(let user) = attempt.account { owners.note(attempt.source, of: user) }
    }

    /// Accounts and addresses that were forgotten before their time, for want of room.
    var forgotten: Int {
        pairs.forgotten + addresses.forgotten + accounts.forgotten + registrations.forgotten
    }

    /// It was not evaluated.
    func takeBack(_ attempt: Attempt) {
        pairs.takeBack(Pair(account: attempt.account, source: attempt.source))
        if let address = address(of: attempt) { addresses.takeBack(address) }
        if attempt.isStrange { accounts.takeBack(attempt.account) }
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
