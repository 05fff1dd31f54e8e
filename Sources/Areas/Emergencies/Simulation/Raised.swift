import Contract
import JSON

extension SimulatedEmergencies {
    /// An alert written to disk.
    struct Raised {
        let id: String
        let group: Int64
        let user: Int64
        let kind: String
        let destination: String?

        static let statements = ["INSERT INTO alerts"]

        /// Nil for other statements.
        init?(_ row: Written) {
            guard row.begins(with: Raised.statements[0]), let id = row.text(0),
                let group = row.integer(1), let user = row.integer(2), let document = row.text(3)
            else { return nil }
            (self.id, self.group, self.user) = (id, group, user)
            let json = JSONValue.of(Array(document.utf8))
            kind = json["kind"]?.text ?? "?"
            destination = json["destination"]?["name"]?.text
        }
    }
}

/// The alerts that a phone shows.
final class AlertMemory: PhoneMemory {
    var shown: Set<String> = []
    var last: String?
    /// The last call for help.
    var lastCall: String?

    init() {}
}

extension Phone {
    var alerts: AlertMemory { memory() }
}
