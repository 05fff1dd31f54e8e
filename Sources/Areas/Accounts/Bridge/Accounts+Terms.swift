import Contract
import JSON
import Store
import Tracking

/// The terms and the privacy statement, texts of the operator with a version. Nothing is refused to
/// somebody who has not accepted the present one: they are asked.
extension Accounts {
    func acceptTerms(_ version: String, by person: Person) throws(Refused) -> [UInt8] {
        guard version == settings.accounts.termsVersion else {
            throw .problem(
                Problem(invalid: [.init(field: "version", reason: "is not the present one")]))
        }
        try stored { transaction throws(StoreError) in
            try transaction.acceptTerms(version, by: person.id, at: now)
        }
        return try getAccount(of: person)
    }
}

extension JSONWriter {
    /// `{version,accepted?:{version,at}}`
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
