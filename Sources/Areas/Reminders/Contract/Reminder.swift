public import JSON
public import Schedules
public import Tracking

/// Something that a person wants to be reminded of at a place.
public struct Reminder: Sendable {
    public let id: UUIDv7
    public var place: ReminderPlace
    public var text: String
    /// When it is due for the first time, by the clocks of ``timeZone``; with another condition than
    /// ``Condition/time``, from when on that counts.
    public var start: CivilDateTime
    public var timeZone: String
    /// Nil: once.
    public var recurrence: Recurrence?
    public var condition: Condition

    public enum Condition: Hashable, Sendable {
        case time
        /// The next time that the place opens.
        case opening
        /// Metres from the place.
        case near(Double)

        var text: String {
            switch self {
            case .time: "time"
            case .opening: "opens"
            case .near: "near"
            }
        }
    }

    public init(
        id: UUIDv7, place: ReminderPlace, text: String, start: CivilDateTime, timeZone: String,
        recurrence: Recurrence?, condition: Condition
    ) {
        (self.id, self.place, self.text, self.start) = (id, place, text, start)
        (self.timeZone, self.recurrence, self.condition) = (timeZone, recurrence, condition)
    }

    /// In characters.
    public static let longestText = 300
    /// Metres.
    public static let radius = 20.0...50_000
}

/// The place of a reminder, as it was when the reminder was made: the place itself may be gone.
public struct ReminderPlace: Hashable, Sendable {
    public let id: PlaceID
    public let name: String
    public let coordinate: Coordinate

    public init(id: PlaceID, name: String, coordinate: Coordinate) {
        (self.id, self.name, self.coordinate) = (id, name, coordinate)
    }
}

/// What a place is found by.
public enum PlaceID: Hashable, Sendable {
    /// One of the organisation.
    case place(Name)
    /// One of a person or a group.
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

extension JSONWriter {
    /// - Parameters:
    ///   - next: when it is due, if that is known.
    ///   - toldAt: when it was told last.
    public mutating func reminder(_ reminder: Reminder, next: Timestamp?, toldAt: Timestamp?) {
        member("reminder", reminder.id.description)
        member("place", reminder.place.id.text)
        member("placeName", reminder.place.name)
        member("text", reminder.text)
        member("at", reminder.start.text)
        member("timeZone", reminder.timeZone)
        member("rrule", reminder.recurrence?.text)
        member("when", reminder.condition.text)
        if case .near(let radius) = reminder.condition {
            key("radius")
            number(radius)
        }
        if let next { member("next", next) }
        if let toldAt { member("toldAt", toldAt) }
    }
}
