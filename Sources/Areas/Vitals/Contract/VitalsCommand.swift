public import Tracking

/// What a device may ask for about its user's vital signs.
public enum VitalsCommand: AreaCommand {
    case consent(version: String?)
    case withdraw
    /// What a person says of themselves; nothing changed: it is read.
    case profile(HealthProfile.Change)
    case list(List)
    case deleteVitals(Stretch)
    case deletePositions(Stretch, PositionPlace?)

    /// Times from one until before another.
    public struct Stretch: Sendable {
        public let from: Timestamp
        public let to: Timestamp

        public func contains(_ time: Timestamp) -> Bool { from <= time && time < to }
    }

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
        let (from, to, what) = (fields.time("from"), fields.time("to"), fields.string("what"))
        let text = fields.string(ifPresent: "cursor")
        let place = text.flatMap { PositionPlace($0) }
        if text != nil, place == nil { fields.refuse("cursor", "was not issued by this service") }
        if let from, let to, from >= to { fields.refuse("to", "must come after from") }
        if let what, !["positions", "vitals"].contains(what) {
            fields.refuse("what", "must be positions or vitals")
        }
        guard let from, let to, let what else { return nil }
        let stretch = Stretch(from: from, to: to)
        return what == "vitals" ? .deleteVitals(stretch) : .deletePositions(stretch, place)
    }
}

/// How far positions have been deleted: a device, and a fix of it before which they have not.
public struct PositionPlace: Hashable, Sendable, CustomStringConvertible {
    public let device: Int64
    public let fix: Int64

    public init(device: Int64, fix: Int64) { (self.device, self.fix) = (device, fix) }

    /// As ``description`` writes it.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 2, let device = numbers[0], let fix = numbers[1] else { return nil }
        self.init(device: device, fix: fix)
        guard device > 0, fix > 0, description == text else { return nil }
    }

    public var description: String { "\(device).\(fix)" }
}
