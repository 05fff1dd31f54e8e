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
    /// - `every`: the least time between two of a device.
    case positions(Stretch, every: Duration, PositionPlace?)

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
        let (stretch, place) = (fields.stretch(), fields.positionPlace(ifPresent: "cursor"))
        let what = fields.string("what")
        if let what, !["positions", "vitals"].contains(what) {
            fields.refuse("what", "must be positions or vitals")
        }
        guard let stretch, let what else { return nil }
        return what == "vitals" ? .deleteVitals(stretch) : .deletePositions(stretch, place)
    }

    static func positions(_ fields: inout Fields) -> VitalsCommand? {
        let (stretch, place) = (fields.stretch(), fields.positionPlace(ifPresent: "cursor"))
        let every = fields.integer(ifPresent: "every", in: 0...86_400)
        guard let stretch else { return nil }
        return .positions(stretch, every: .seconds(every ?? 0), place)
    }
}

extension Fields {
    fileprivate mutating func stretch() -> VitalsCommand.Stretch? {
        let (from, to) = (time("from"), time("to"))
        guard let from, let to else { return nil }
        guard from < to else {
            refuse("to", "must come after from")
            return nil
        }
        return VitalsCommand.Stretch(from: from, to: to)
    }

    fileprivate mutating func positionPlace(ifPresent field: String) -> PositionPlace? {
        guard let text = string(ifPresent: field) else { return nil }
        let place = PositionPlace(text)
        if place == nil { refuse(field, "was not issued by this service") }
        return place
    }
}

/// How far positions have been read or deleted: a device, and a fix of it before which they have not.
public struct PositionPlace: Hashable, Sendable, CustomStringConvertible {
    public let device: Int64
    public let fix: Int64

    public init(device: Int64, fix: Int64) { (self.device, self.fix) = (device, fix) }

    /// Nothing of the device has been read yet.
    public init(beginning device: Int64) { self.init(device: device, fix: .max) }

    public var isBeginning: Bool { fix == .max }

    /// As ``description`` writes it.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 2, let device = numbers[0], let fix = numbers[1] else { return nil }
        self.init(device: device, fix: fix)
        guard device > 0, fix > 0, description == text else { return nil }
    }

    public var description: String { "\(device).\(fix)" }
}
