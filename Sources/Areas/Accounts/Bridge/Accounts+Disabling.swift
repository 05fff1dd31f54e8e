import Contract
import JSON
import Store
import Tracking

/// Whom the operator locks out cannot log in, receives nothing and is shown to nobody by a link. What is
/// stored of them stays, and so do their groups. In an SOS or on a journey this waits for its end.
extension Accounts {
    /// With a company, its services.
    ///
    /// - Returns: `{ended,kept?}`: how many devices were logged out, and on which groups rely now.
    func disable(_ person: Person) throws(Refused) -> [UInt8] {
        var ended = 0
        for account in [person] + areas.services.services(of: person) {
            if account.disabledAt == nil {
                try stored { transaction throws(StoreError) in
                    try transaction.setDisabled(at: now, account.id)
                }
                account.disabledAt = now
            }
            ended += try lockOut(account)
        }
        return JSONWriter.object { $0.ended(ended, kept: loggedIn(person, but: nil)) }
    }

    func enable(_ person: Person) throws(Refused) -> [UInt8] {
        for account in [person] + areas.services.services(of: person) {
            try stored { transaction throws(StoreError) in
                try transaction.setDisabled(at: nil, account.id)
            }
            account.disabledAt = nil
        }
        return Array("{}".utf8)
    }

    /// - Returns: how many devices were logged out.
    private func lockOut(_ person: Person) throws(Refused) -> Int {
        let ended = try revokeAll(of: person, but: nil)
        guard !isReliedOn(person) else { return ended }
        _ = try endShareLinks(of: person)
        _ = try endObservers(of: person)
        return ended
    }

    /// Those who were relied on when they were locked out.
    func lockOutRest(atMost limit: Int) throws(StoreError) {
        for user in try transaction.disabledUsersLoggedIn(atMost: limit) {
            guard let person = memory.people[user], !isReliedOn(person) else { continue }
            do throws(Refused) {
                _ = try lockOut(person)
            } catch {
                if case .store(let failure) = error { throw failure }
            }
        }
    }
}
