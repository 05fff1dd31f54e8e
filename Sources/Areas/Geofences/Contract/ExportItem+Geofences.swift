internal import JSON
public import Tracking

extension ExportItem {
    public static func geofenceRule(_ rule: GeofenceRule, at place: String) -> ExportItem {
        ExportItem("geofence-rule") { json in
            json.members(GeofenceRule.payload, rule)
            json.member("placeName", place)
        }
    }

    /// - Parameters:
    ///   - agrees: nil if not answered.
    ///   - side: the person's last known presence there, with its beginning.
    public static func geofenceConsent(
        _ rule: GeofenceRule, at place: String, agrees: Bool?, answeredAt: Timestamp?,
        side: Geofence.Side?, since: Timestamp?
    ) -> ExportItem {
        ExportItem("geofence-consent") { json in
            json.members(GeofenceRule.payload, rule)
            json.member("placeName", place)
            if let agrees {
                json.key("agree")
                json.bool(agrees)
            }
            if let answeredAt { json.member("answeredAt", answeredAt) }
            json.member("side", side?.rawValue)
            if let since { json.member("since", since) }
        }
    }
}
