public import Schedules
public import Tracking

/// A person's reminder at a place.
public struct Reminder: Sendable {
    public let id: UUIDv7
    public var place: ReminderPlace
    public var text: String
    /// The first due time, in ``timeZone``; with a condition other than ``Condition/time``, the
    /// time from which that counts.
    public var start: CivilDateTime
    public var timeZone: String
    /// Nil for once.
    public var recurrence: Recurrence?
    public var condition: Condition

    public enum Condition: Hashable, Sendable {
        case time
        /// The next opening of the place.
        case opening
        /// Metres from the place.
        case near(Double)

        fileprivate var word: ReminderDetails.Condition {
            switch self {
            case .time: .time
            case .opening: .opens
            case .near: .near
            }
        }

        fileprivate var radius: Double? { if case .near(let radius) = self { radius } else { nil } }
    }

    public init(
        id: UUIDv7, place: ReminderPlace, text: String, start: CivilDateTime, timeZone: String,
        recurrence: Recurrence?, condition: Condition
    ) {
        (self.id, self.place, self.text, self.start) = (id, place, text, start)
        (self.timeZone, self.recurrence, self.condition) = (timeZone, recurrence, condition)
    }

    /// Characters.
    public static let longestText = 300
    /// Metres.
    public static let radius = 20.0...50_000
}

/// The place of a reminder, at the time of its creation: the place itself may have been deleted
/// since.
public struct ReminderPlace: Hashable, Sendable {
    public let id: PlaceID
    public let name: String
    public let coordinate: Coordinate

    public init(id: PlaceID, name: String, coordinate: Coordinate) {
        (self.id, self.name, self.coordinate) = (id, name, coordinate)
    }
}

/// The identifier of a place.
public enum PlaceID: Hashable, Sendable {
    /// A place of the organisation.
    case place(Name)
    /// A place of a person or a group.
    case geofence(UUIDv7)

    public init?(_ text: String) {
        if let id = UUIDv7(text) {
            self = .geofence(id)
        } else if let name = Name(text) {
            self = .place(name)
        } else {
            return nil
        }
    }

    public var text: String {
        switch self {
        case .place(let name): name.text
        case .geofence(let id): id.description
        }
    }
}

extension Reminder {
    /// - `next`: when it is next due, if known.
    /// - `toldAt`: when it was last sent.
    public typealias Listed = (reminder: Reminder, next: Timestamp?, toldAt: Timestamp?)

    public static let payload = Payload<Listed>(
        "Reminder",
        .init("reminder", .uuid) { $0.reminder.id },
        .init("place", .text(as: .placeID)) { $0.reminder.place.id.text },
        .init("placeName", .text) { $0.reminder.place.name },
        .init("text", .text) { $0.reminder.text },
        .init("at", .text, "by the clocks of `timeZone`") { $0.reminder.start.text },
        .init("timeZone", .text(as: .timeZone)) { $0.reminder.timeZone },
        .init("rrule", .text) { $0.reminder.recurrence?.text },
        .init("when", .choice) { $0.reminder.condition.word },
        .init("radius", .number(radius), "metres") { $0.reminder.condition.radius },
        .init("next", .time) { $0.next },
        .init("toldAt", .time) { $0.toldAt })

    public static let result = Payload<Listed>(.init("reminder", .object(payload)) { $0 })

    public static let list = Payload.page("reminders", of: payload)
}
