import JSON
public import Tracking

extension ExportItem {
    public static func alert(_ message: AlertMessage) -> ExportItem {
        ExportItem("alert") { json in
            json.key("alert")
            json.raw(message.payload)
        }
    }

    /// An acknowledgement of an alert about another user.
    public static func acknowledgement(
        _ alert: UUIDv7, at: Timestamp, comingAt: Timestamp?, calledAt: Timestamp?
    ) -> ExportItem {
        ExportItem("acknowledgement") { json in
            json.member("alert", alert.description)
            json.member("at", at)
            if let comingAt { json.member("comingAt", comingAt) }
            if let calledAt { json.member("calledAt", calledAt) }
        }
    }

    /// The maximum number of people listed as having seen an alert: the first ones.
    public static let maximumNames = 500
}
