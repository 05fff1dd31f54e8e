import Contract
import Store
import Tracking

/// A disabled account cannot log in, receives nothing, and its share links show nothing. Its data
/// and its groups are kept. In an SOS, on a journey, or while a check-in question to the person is
/// pending, this waits for the end.
extension Accounts {
    /// Disables the account; a company's services are disabled with it.
    ///
    /// - Returns: `{ended,kept?}`: the number of devices logged out, and those that stay logged in
    ///   for now.
    func disable(_ person: Person) throws -> [UInt8] {
        for account in [person] + areas.services.services(of: person)
        where account.disabledAt == nil {
            try transaction.setDisabled(at: now, account.id)
            account.disabledAt = now
        }
        var ended = 0
        for account in [person] + areas.services.services(of: person) {
            ended += try lockOut(account)
        }
        return AccountResult.ended.bytes(
            of: .init(devices: ended, kept: loggedIn(person, but: nil)))
    }

    /// Enables the account, and the services that were disabled with a company.
    func enable(_ person: Person) throws -> [UInt8] {
        let time = person.disabledAt
        for account in [person] + areas.services.services(of: person)
        where account === person || account.disabledAt == time {
            try transaction.setDisabled(at: nil, account.id)
            account.disabledAt = nil
        }
        return Array("{}".utf8)
    }

    /// - Returns: the number of devices logged out.
    private func lockOut(_ person: Person) throws -> Int {
        guard !turn.isStillNeeded(person) else { return 0 }
        let ended = try revokeAll(of: person, but: nil)
        _ = try endShareLinks(of: person)
        _ = try endObservers(of: person)
        try transaction.setLockedOut(person.id)
        return ended
    }

    /// Locks out accounts that were still needed when they were disabled.
    func lockOutRest() throws {
        for user in try transaction.usersToLockOut(atMost: Accounts.mostToLockOut) {
            guard let person = memory.people[user] else { continue }
            do {
                _ = try lockOut(person)
            } catch {
                guard Problem(of: error) != nil else { throw error }
            }
        }
    }

    /// The maximum number of disabled accounts that may be needed at a time and are checked in a
    /// sweep.
    private static let mostToLockOut = 1_000
}
