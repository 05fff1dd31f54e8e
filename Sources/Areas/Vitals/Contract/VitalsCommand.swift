public import Tracking

/// What a device may ask for about its user's vital signs.
public enum VitalsCommand: AreaCommand {
    case consent(version: String?)
    case withdraw
    /// What a person says of themselves; nothing changed: it is read.
    case profile(HealthProfile.Change)
    case list(List)

    /// What is to be listed.
    public struct List: Sendable {
        public let from: Timestamp?
        /// The time before which it was measured.
        public let to: Timestamp?
        /// What `next` was; nil for the newest.
        public let before: String?
        public let limit: Int
        /// The least time between two samples that a device took of the same.
        public let every: Duration

        public static let longest = 500
        public static let usual = 100
    }

    static let query = Form(
        Form("from", .time).ifPresent,
        Form("to", .time, "the time before which it was measured").ifPresent,
        Form<Int64>(
            "every", .number(0...86_400),
            "the fewest seconds between two samples of one kind from a device"
        ).or(0),
        Form("before", .text, "`next` of the page before").ifPresent,
        Form("limit", .integer(1...List.longest), "usually \(List.usual)").or(List.usual)
    ) { from, to, every, before, limit in
        VitalsCommand.list(
            List(from: from, to: to, before: before, limit: limit, every: .seconds(every)))
    }
}
