import Contract
import Store
import Tracking

/// The terms and the privacy statement: the operator's versioned texts. A user who has not accepted
/// the current version is asked to, but refused nothing.
extension Accounts {
    func acceptTerms(_ version: String, by person: Person) throws -> [UInt8] {
        guard version == settings.accounts.termsVersion else {
            throw Problem(invalid: [.init(field: "version", reason: "is not the current one")])
        }
        try transaction.acceptTerms(version, by: person.id, at: now)
        return try getAccount(of: person)
    }
}
