import Contract
import JSON
import Store
import Tracking

/// A disabled account cannot log in, receives nothing and shows its owner to nobody by a link. What is stored of
/// it stays, and so do its groups. In an SOS, on a journey, or while somebody is asked whether they are all right,
/// this waits for the end.
extension Accounts {
    /// With a company, its services.
    ///
    /// - Returns: `{ended,kept?}`: how many devices were logged out, and which stay for now.
    func disable(_ person: Person) throws(Refused) -> [UInt8] {
        for account in [person] + areas.services.services(of: person)
        where account.disabledAt == nil {
            try stored { transaction throws(StoreError) in
                try transaction.setDisabled(at: now, account.id)
            }
            account.disabledAt = now
        }
        var ended = 0
        for account in [person] + areas.services.services(of: person) {
            ended += try lockOut(account)
        }
        return JSONWriter.object { $0.ended(ended, kept: loggedIn(person, but: nil)) }
    }

    /// With a company, the services that were disabled with it.
    func enable(_ person: Person) throws(Refused) -> [UInt8] {
        let time = person.disabledAt
        for account in [person] + areas.services.services(of: person)
        where account === person || account.disabledAt == time {
            try stored { transaction throws(StoreError) in
                try transaction.setDisabled(at: nil, account.id)
            }
            account.disabledAt = nil
        }
        return Array("{}".utf8)
    }

    /// Whether a disabled account is as if it were not: groups rely on its owner, or an answer is awaited that
    /// decides whether help is called.
    func isStillNeeded(_ person: Person) -> Bool {
        isReliedOn(person) || areas.monitoring.isAsking(person)
    }

    /// - Returns: how many devices were logged out.
    private func lockOut(_ person: Person) throws(Refused) -> Int {
        guard !isStillNeeded(person) else { return 0 }
        let ended = try revokeAll(of: person, but: nil)
        _ = try endShareLinks(of: person)
        _ = try endObservers(of: person)
        try stored { transaction throws(StoreError) in
            try transaction.setLockedOut(person.id)
        }
        return ended
    }

    /// Those who were needed when they were disabled.
    func lockOutRest() throws(StoreError) {
        for user in try transaction.usersToLockOut(atMost: Accounts.mostToLockOut) {
            guard let person = memory.people[user] else { continue }
            do throws(Refused) {
                _ = try lockOut(person)
            } catch {
                if case .store(let failure) = error { throw failure }
            }
        }
    }

    /// How many disabled accounts may be needed at a time, and are looked at in a sweep.
    private static let mostToLockOut = 1_000

    /// - Throws: `not-allowed` for a disabled account.
    func checkEnabled(_ person: Person) throws(Refused) {
        guard person.disabledAt == nil || isStillNeeded(person) else {
            throw .problem(
                Problem(
                    .notAllowed,
                    "This account is disabled. Only the operator of this server can enable it."))
        }
    }
}
