import Contract
import Tracking

/// Slows down password guessing and the harvesting of names, and nothing else: attempts are limited
/// per pair of account and source, and per address if it is known. Each account also has a more
/// generous limit over all sources, so that failing on purpose cannot lock an owner out; attempts
/// from sources where the owner has logged in before do not count towards it.
///
/// The counts are kept in memory only, so a restart clears them. An attempt stays counted even if
/// its turn fails.
final class AttemptBook {
    private var pairs = AttemptLimiter<Pair>()
    private var addresses = AttemptLimiter<NetworkAddress>()
    private var accounts = AttemptLimiter<Account>(.ofAccount)
    private var registrations = AttemptLimiter<NetworkAddress>()
    /// Invalid registration forms whose names were looked up.
    private var lookUps = AttemptLimiter<NetworkAddress>()
    private var recentLookUps: [Timestamp] = []
    /// Requests for a link by mail.
    private var forgottenPasswords = AttemptLimiter<Source>()
    /// Wrong codes of a second factor, which is checked only after a right password.
    private var codes = AttemptLimiter<UserID>()
    private var owners = OwnerSources()
    /// The beginnings of the most recent registrations, from any source.
    private var recent: [Timestamp] = []

    /// The maximum number of registrations per minute, from all sources together.
    static let maximumRegistrations = 60

    /// The account that an attempt is for, whether or not it exists.
    enum Account: Hashable, Sendable {
        case user(UserID)
        /// A name or address that belongs to no account, in lower case.
        case nobody(String)
        /// The unknown account of a link. There is no limit over all sources, since links cannot be
        /// guessed.
        case link
        /// The unknown account of a passkey, which cannot be guessed either.
        case passkey
    }

    /// The source of an attempt.
    enum Source: Hashable, Sendable {
        case address(NetworkAddress)
        /// A visitor of a program on this machine, as that program identifies its visitors; nil if
        /// it does not.
        case visitor(String?)
        /// One of the account's own devices, which has presented its token.
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
        /// Whether it counts towards the account's limit over all sources.
        let isStrange: Bool
    }

    /// - Throws: `too-many-attempts`, in which case nothing was counted.
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
        case (_, .link), (_, .passkey): true
        case (_, .nobody): false
        }
    }

    private func address(of attempt: Attempt) -> NetworkAddress? {
        if case .address(let address) = attempt.source { address } else { nil }
    }

    /// Records that the attempt was made by the account's owner. Attempts by others, from the
    /// address and for the account, stay counted.
    func succeed(_ attempt: Attempt) {
        takeBack(attempt)
        pairs.forget(Pair(account: attempt.account, source: attempt.source))
        if case .user(let user) = attempt.account { owners.note(attempt.source, of: user) }
    }

    /// Whether an invalid registration form is also checked for names that are taken. Limited like
    /// registrations, to prevent probing for names.
    func mayLookUp(from address: NetworkAddress?, at now: Timestamp) -> Bool {
        recentLookUps.removeAll { $0 > now || now >= $0 + .seconds(60) }
        guard recentLookUps.count < AttemptBook.maximumRegistrations else { return false }
        if let address {
            guard lookUps.wait(of: address, at: now) == nil else { return false }
            lookUps.begin(address, at: now)
        }
        recentLookUps.append(now)
        return true
    }

    /// Counts a request for a link by mail, for any account.
    ///
    /// - Throws: `too-many-attempts`, in which case nothing was counted.
    func beginForgotten(from source: Source, at now: Timestamp) throws(Problem) {
        // Programs on the broker's machine that do not identify their visitors.
        if source == .visitor(nil) { return }
        if let wait = forgottenPasswords.wait(of: source, at: now) {
            throw AttemptBook.problem(wait)
        }
        forgottenPasswords.begin(source, at: now)
    }

    // MARK: Second factor codes

    /// - Throws: `too-many-attempts`, in which case nothing was counted.
    func beginCode(of user: UserID, at now: Timestamp) throws(Problem) {
        if let wait = codes.wait(of: user, at: now) { throw AttemptBook.problem(wait) }
        codes.begin(user, at: now)
    }

    func succeedCode(of user: UserID) { codes.forget(user) }

    /// The number of accounts and addresses evicted early to make room.
    var forgotten: Int {
        pairs.forgotten + addresses.forgotten + accounts.forgotten + registrations.forgotten
            + codes.forgotten + lookUps.forgotten + forgottenPasswords.forgotten
    }

    /// Uncounts an attempt that was not evaluated.
    func takeBack(_ attempt: Attempt) {
        pairs.takeBack(Pair(account: attempt.account, source: attempt.source))
        if let address = address(of: attempt) { addresses.takeBack(address) }
        if attempt.isStrange { accounts.takeBack(attempt.account) }
    }

    /// - Throws: `too-many-attempts`, in which case nothing was counted.
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

    /// Uncounts a registration that failed through no fault of the registrant.
    func takeBackRegistration(from address: NetworkAddress?) {
        if let address { registrations.takeBack(address) }
        if !recent.isEmpty { recent.removeLast() }
    }

    private static func problem(_ wait: Duration) -> Problem {
        let seconds = (wait.milliseconds + 999) / 1000
        return Problem(.tooManyAttempts, "Try again in \(seconds) s.")
    }
}
