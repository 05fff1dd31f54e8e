public import JSON
public import Tracking

/// A circle on the map that a person or a group has given a name: home, a school.
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

/// Who is told what about whom at a geofence.
public struct GeofenceRule: Hashable, Sendable {
    public let id: UUIDv7
    public let event: Event
    /// On which days, and between which times of day.
    public let hours: Hours?
    /// Whether it ends after it was told.
    public let isOnce: Bool

    public enum Event: Hashable, Sendable {
        case arrives
        case leaves
        /// Is not there at a time of day, in minutes after midnight.
        case notThere(by: Int)

        /// Whether the clock decides about it.
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

    /// By the clocks of a time zone.
    public struct Hours: Hashable, Sendable {
        public let days: Weekdays
        /// In minutes after midnight; the end may be before the beginning, on the next day.
        public let from: Int?
        public let to: Int?
        public let timeZone: String

        public init(days: Weekdays, from: Int?, to: Int?, timeZone: String) {
            (self.days, self.from, self.to, self.timeZone) = (days, from, to, timeZone)
        }

        /// - Parameters:
        ///   - weekday: 0 is Monday.
        ///   - minute: after midnight.
        public func contains(weekday: Int, minute: Int) -> Bool {
            guard let from, let to else { return days.contains(weekday) }
            if from < to { return days.contains(weekday) && minute >= from && minute < to }
            // What begins in the evening belongs to that day until it ends.
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
    /// - Parameter group: whose it is; nil: the reader's own.
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

    /// What the rule says, without the people.
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
