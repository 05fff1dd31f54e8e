public import Tracking

/// What a device may ask for about its user's vital signs.
public enum VitalsCommand: AreaCommand {
    case consent(version: String?)
    case withdraw
    /// What a person says of themselves; nothing changed: it is read.
    case profile(HealthProfile.Change)
    case list(List)
    case delete(from: Timestamp, to: Timestamp)

    /// What is to be listed.
    public struct List: Sendable {
        public let from: Timestamp?
        /// The time before which it was measured.
        public let to: Timestamp?
        /// What `next` was; nil for the newest.
        public let before: VitalsPlace?
        public let limit: Int

        public static let longest = 500
        public static let usual = 100
    }

    static func list(_ fields: inout Fields) -> VitalsCommand? {
        let (from, to) = (fields.time(ifPresent: "from"), fields.time(ifPresent: "to"))
        let limit = fields.integer(ifPresent: "limit", in: 1...Int64(List.longest))
        let text = fields.string(ifPresent: "before")
        let before = text.flatMap { VitalsPlace($0) }
        if text != nil, before == nil { fields.refuse("before", "was not issued by this service") }
        let count = limit.map { Int($0) } ?? List.usual
        return .list(List(from: from, to: to, before: before, limit: count))
    }

    static func delete(_ fields: inout Fields) -> VitalsCommand? {
        let (from, to) = (fields.time("from"), fields.time("to"))
        guard let from, let to else { return nil }
        guard from < to else {
            fields.refuse("to", "must come after from")
            return nil
        }
        return .delete(from: from, to: to)
    }
}
