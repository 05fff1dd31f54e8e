public import JSON
public import Tracking

/// A named circle on the map of a person or a group: home, a school.
public struct OwnPlace: Hashable, Sendable {
    public let id: UUIDv7
    public var name: String
    public var kind: Kind
    public var circle: Geofence

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case home, school, work, other
    }

    public init(id: UUIDv7, name: String, kind: Kind, circle: Geofence) {
        (self.id, self.name, self.kind, self.circle) = (id, name, kind, circle)
    }

    /// Metres.
    public static let radius = 50.0...10_000
    public static let usualRadius = 150.0
}

/// The condition of a rule at a geofence.
public struct GeofenceRule: Hashable, Sendable {
    public let id: UUIDv7
    public let event: Event
    /// The days and times of day when it applies.
    public let hours: Hours?
    /// Whether it ends after its first notice.
    public let isOnce: Bool

    public enum Event: Hashable, Sendable {
        case arrives
        case leaves
        /// Not there at a time of day, in minutes after midnight.
        case notThere(by: Int)

        /// Whether it is judged by the clock.
        public var isTimed: Bool {
            switch self {
            case .arrives, .leaves: false
            case .notThere: true
            }
        }

        public var text: String {
            switch self {
            case .arrives: "arrives"
            case .leaves: "leaves"
            case .notThere: "not-there"
            }
        }
    }

    /// The days and times in the local time of a zone.
    public struct Hours: Hashable, Sendable {
        public let days: Weekdays
        /// Minutes after midnight; the end may be before the beginning, on the next day.
        public let from: Int?
        public let to: Int?
        public let timeZone: String

        public init(days: Weekdays, from: Int?, to: Int?, timeZone: String) {
            (self.days, self.from, self.to, self.timeZone) = (days, from, to, timeZone)
        }

        /// - Parameters:
        ///   - weekday: 0 is Monday.
        ///   - minute: minutes after midnight.
        public func contains(weekday: Int, minute: Int) -> Bool {
            guard let from, let to else { return days.contains(weekday) }
            if from < to { return days.contains(weekday) && minute >= from && minute < to }
            // Hours that begin in the evening belong to that day until they end.
            return minute >= from && days.contains(weekday)
                || minute < to && days.contains((weekday + 6) % 7)
        }
    }

    /// Days of the week; bit 0 is Monday.
    public struct Weekdays: Hashable, Sendable {
        public let bits: Int

        public static let all = Weekdays(bits: 127)
        static let names = ["mo", "tu", "we", "th", "fr", "sa", "su"]

        public init(bits: Int) { self.bits = bits & 127 }

        public func contains(_ weekday: Int) -> Bool { bits & (1 << weekday) != 0 }
        var texts: [String] {
            Weekdays.names.enumerated().filter { contains($0.offset) }.map(\.element)
        }
    }

    public init(id: UUIDv7, event: Event, hours: Hours?, isOnce: Bool) {
        (self.id, self.event, self.hours, self.isOnce) = (id, event, hours, isOnce)
    }
}

extension JSONWriter {
    /// - Parameter group: the owner; nil for the reader's own place.
    public mutating func ownPlace(_ place: OwnPlace, group: GroupKey?) {
        ownPlace(place)
        member("group", group?.text)
    }

    mutating func ownPlace(_ place: OwnPlace) {
        member("geofence", place.id.description)
        member("name", place.name)
        member("kind", place.kind.rawValue)
        coordinate(place.circle.centre)
        key("radius")
        number(place.circle.radius)
    }

    /// Writes the rule without the people.
    mutating func geofenceRule(_ rule: GeofenceRule) {
        member("rule", rule.id.description)
        member("when", rule.event.text)
        if case .notThere(let minute) = rule.event { member("by", QuietHours.text(minute)) }
        if let hours = rule.hours {
            key("days")
            array(hours.days.texts) { $0.string($1) }
            if let from = hours.from { member("from", QuietHours.text(from)) }
            if let to = hours.to { member("to", QuietHours.text(to)) }
            member("timeZone", hours.timeZone)
        }
        key("once")
        bool(rule.isOnce)
    }
}
