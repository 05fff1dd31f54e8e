public import Tracking

/// A device's requests about its user's vital signs.
public enum VitalsCommand: AreaCommand {
    case consent(version: String?)
    case withdraw
    /// Changes the health profile; reads it if there is no change.
    case profile(HealthProfile.Change)
    case list(List)

    /// The criteria of a list.
    public struct List: Sendable {
        public let from: Timestamp?
        /// The time before which they were measured.
        public let to: Timestamp?
        /// `next` of the previous page; nil for the newest.
        public let before: String?
        public let limit: Int
        /// The minimum time between two samples of the same kinds by a device.
        public let every: Duration

        public static let longest = 500
        public static let usual = 100
    }

    static let query = Form(
        Form("from", .time).ifPresent,
        Form("to", .time, "only samples measured before this time").ifPresent,
        Form<Int64>(
            "every", .number(0...86_400),
            "minimum seconds between two samples of one kind from a device"
        ).or(0),
        Form("before", .text, "`next` of the previous page").ifPresent,
        Form("limit", .integer(1...List.longest), "default \(List.usual)").or(List.usual)
    ) { from, to, every, before, limit in
        VitalsCommand.list(
            List(from: from, to: to, before: before, limit: limit, every: .seconds(every)))
    }
}
