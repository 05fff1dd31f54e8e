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

    static func list(_ fields: inout Fields) -> VitalsCommand? {
        let (from, to) = (fields.time(ifPresent: "from"), fields.time(ifPresent: "to"))
        let limit = fields.integer(ifPresent: "limit", in: 1...Int64(List.longest))
        let every = fields.integer(ifPresent: "every", in: 0...86_400)
        let before = fields.string(ifPresent: "before")
        let count = limit.map { Int($0) } ?? List.usual
        return .list(
            List(
                from: from, to: to, before: before, limit: count, every: .seconds(every ?? 0)))
    }
}
