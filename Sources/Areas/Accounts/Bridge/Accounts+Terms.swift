import Contract
import JSON
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

extension JSONWriter {
    /// Writes `{version,accepted?:{version,at}}`.
    mutating func terms(_ version: String, accepted: (version: String, acceptedAt: Timestamp)?) {
        key("terms")
        object { json in
            json.key("version")
            json.string(version)
            guard let accepted else { return }
            json.key("accepted")
            json.object { json in
                json.key("version")
                json.string(accepted.version)
                json.key("at")
                json.time(accepted.acceptedAt)
            }
        }
    }
}
