internal import JSON
public import Tracking

extension ExportItem {
    public static func vitals(_ vitals: VitalSigns, device: Name) -> ExportItem {
        ExportItem("vitals") { json in
            json.member("device", device.text)
            json.key("vitals")
            json.vitals(vitals)
        }
    }

    public static func healthProfile(_ profile: HealthProfile) -> ExportItem {
        ExportItem("health-profile", HealthProfile.payload, profile)
    }

    /// - Parameter endedAt: when it was withdrawn; nil if it was not.
    public static func vitalsConsent(_ consent: VitalsConsent, endedAt: Timestamp?) -> ExportItem {
        ExportItem("vitals-consent") { json in
            json.members(VitalsConsent.payload, consent)
            if let endedAt { json.member("endedAt", endedAt) }
        }
    }
}

/// A person's consent to the storage of their vital signs.
public struct VitalsConsent: Hashable, Sendable {
    public let at: Timestamp
    /// The version of the privacy statement; nil if there was none.
    public let version: String?

    public init(at: Timestamp, version: String?) { (self.at, self.version) = (at, version) }
}

extension VitalsConsent {
    public static let payload = Payload<VitalsConsent>(
        .init("at", .time) { $0.at },
        .init("version", .text) { $0.version })
}
