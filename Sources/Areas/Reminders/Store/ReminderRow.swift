public import Contract
internal import Schedules
public import Tracking

/// A stored reminder.
public struct ReminderRow: Sendable {
    public var reminder: Reminder
    public let user: UserID
    /// The time at which the bridge next handles it: sends it, or begins to wait for its owner to
    /// be near.
    public var nextAt: Timestamp?
    /// Whether it is sent as soon as its owner is near.
    public var isArmed = false
    /// The last time it was sent; its times until ``toldFor`` are done.
    public var toldAt: Timestamp?
    public var toldFor: Timestamp?

    public init(_ reminder: Reminder, of user: UserID) {
        (self.reminder, self.user) = (reminder, user)
    }

    public var listed: Reminder.Listed { (reminder, next: nextAt, toldAt: toldAt) }

    static let record = Record<ReminderRow>(
        "reminders",
        Column("id", .id, \.reminder.id), Column("user_id", .number, \.user),
        Column("place", .placeID, \.reminder.place.id),
        Column("place_name", .text, \.reminder.place.name),
        Column("latitude_e7", "longitude_e7", type: .coordinate, \.reminder.place.coordinate),
        Column("text", .text, \.reminder.text), Column("starts_at", .civil, \.reminder.start),
        Column("time_zone", .text, \.reminder.timeZone),
        Column("rrule", .null(or: .recurrence), \.reminder.recurrence),
        Column("condition", "radius_m", type: .condition, \.reminder.condition),
        Column("next_at_ms", .null(or: .time), \.nextAt), Column("is_armed", .flag, \.isArmed),
        Column("told_at_ms", .null(or: .time), \.toldAt),
        Column("told_for_ms", .null(or: .time), \.toldFor)
    ) {
        id, user, placeID, placeName, coordinate, text, start, timeZone, recurrence, condition,
        nextAt, isArmed, toldAt, toldFor in
        var row = ReminderRow(
            Reminder(
                id: id, place: ReminderPlace(id: placeID, name: placeName, coordinate: coordinate),
                text: text, start: start, timeZone: timeZone, recurrence: recurrence,
                condition: condition),
            of: user)
        (row.nextAt, row.isArmed, row.toldAt, row.toldFor) = (nextAt, isArmed, toldAt, toldFor)
        return row
    }
}

extension ColumnType where Value == PlaceID {
    static let placeID = ColumnType(text: { PlaceID($0) }, \.text)
}

extension ColumnType where Value == CivilDateTime {
    static let civil = ColumnType(text: { CivilDateTime($0) }, \.text)
}

extension ColumnType where Value == Recurrence {
    static let recurrence = ColumnType(
        text: { text in
            do throws(Recurrence.Refusal) { return try Recurrence(text) } catch { return nil }
        }, \.text)
}

extension ColumnType where Value == Reminder.Condition {
    /// The word, and the radius in metres for `near`.
    fileprivate static let condition = ColumnType(width: 2) { row, place in
        switch try row.text(place) {
        case "time": .time
        case "opens": .opening
        case "near": .near(try row.real(place + 1))
        default: nil
        }
    } write: { condition in
        switch condition {
        case .time: [.text("time"), .null]
        case .opening: [.text("opens"), .null]
        case .near(let metres): [.text("near"), .real(metres)]
        }
    }
}
