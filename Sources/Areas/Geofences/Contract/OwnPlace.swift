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

        public var text: String { word.rawValue }

        fileprivate var word: GeofenceRuleDetails.When {
            switch self {
            case .arrives: .arrives
            case .leaves: .leaves
            case .notThere: .notThere
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

extension OwnPlace {
    /// - `group`: the owner; nil for the reader's own place.
    public static let payload = Payload<(place: OwnPlace, group: GroupKey?)>(
        "Geofence",
        .init("geofence", .uuid) { $0.place.id },
        .init("name", .text) { $0.place.name },
        .init("kind", .choice) { $0.place.kind },
        .coordinate { $0.place.circle.centre },
        .init("radius", .number(radius), "metres") { $0.place.circle.radius },
        .init("group", .group) { $0.group })

    public static let result = Payload<(place: OwnPlace, group: GroupKey?)>(
        .init("geofence", .object(payload)) { $0 })

    public static let list = Payload.page("geofences", of: payload)
}

extension GeofenceRule {
    /// Without the people.
    static let payload = Payload<GeofenceRule>(
        .init("rule", .uuid) { $0.id },
        .init("when", .choice) { $0.event.word },
        .init("by", .timeOfDay) {
            if case .notThere(let minute) = $0.event { minute } else { nil }
        },
        .init("days", .list(of: .choice(of: Weekdays.names))) { $0.hours?.days.texts },
        .init("from", .timeOfDay) { $0.hours?.from },
        .init("to", .timeOfDay) { $0.hours?.to },
        .init("timeZone", .text(as: .timeZone)) { $0.hours?.timeZone },
        .init("once", .boolean) { $0.isOnce })
}
