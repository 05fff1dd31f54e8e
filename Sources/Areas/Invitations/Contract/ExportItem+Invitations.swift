internal import JSON
public import Tracking

extension ExportItem {
    /// An invitation made by the person.
    public static func invitation(_ invitation: OpenInvitation, to group: String) -> ExportItem {
        ExportItem("invitation") { json in
            json.member("name", group)
            json.key("made")
            json.object(OpenInvitation.payload, invitation)
        }
    }

    /// An invitation that has reached the person.
    ///
    /// - Parameter by: nil if their account has been deleted since.
    public static func invitation(
        _ id: UUIDv7, to group: String, by: Name?, at: Timestamp, declinedAt: Timestamp?
    ) -> ExportItem {
        ExportItem("invitation") { json in
            json.member("name", group)
            json.key("received")
            json.object { json in
                json.member("invitation", id.description)
                if let by { json.member("by", by.text) }
                json.member("at", at)
                if let declinedAt { json.member("declinedAt", declinedAt) }
            }
        }
    }
}
