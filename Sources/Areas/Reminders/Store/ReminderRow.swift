public import Contract
internal import Schedules
public import Tracking

/// A reminder as stored.
public struct ReminderRow: Sendable {
    public var reminder: Reminder
    public let user: UserID
    /// When the bridge does something about it: tells it, or begins to wait for its owner to be near.
    public var nextAt: Timestamp?
    /// Whether it is told as soon as its owner is near.
    public var isArmed = false
    /// When it was told last; its times until ``toldFor`` are done with.
    public var toldAt: Timestamp?
    public var toldFor: Timestamp?

    public init(_ reminder: Reminder, of user: UserID) {
        (self.reminder, self.user) = (reminder, user)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)), let placeID = PlaceID(try row.text(2)),
            let coordinate = Coordinate(
                latitudeE7: try row.integer(4), longitudeE7: try row.integer(5)),
            let start = CivilDateTime(try row.text(7))
        else { throw .damagedDocument }
        let condition: Reminder.Condition
        switch try row.text(10) {
        case "time": condition = .time
        case "opens": condition = .opening
        case "near": condition = .near(try row.optionalReal(11) ?? 0)
        default: throw .damagedDocument
        }
        var recurrence: Recurrence?
        if let text = try row.optionalText(9) {
            do throws(Recurrence.Refusal) {
                recurrence = try Recurrence(text)
            } catch {
                throw .damagedDocument
            }
        }
        self.init(
            Reminder(
                id: id,
                place: ReminderPlace(
                    id: placeID, name: try row.text(3), coordinate: coordinate),
                text: try row.text(6), start: start, timeZone: try row.text(8),
                recurrence: recurrence, condition: condition),
            of: UserID(rawValue: try row.integer(1)))
        nextAt = try row.optionalTime(12)
        isArmed = try row.integer(13) != 0
        toldAt = try row.optionalTime(14)
        toldFor = try row.optionalTime(15)
    }

    static let columns = """
        id, user_id, place, place_name, latitude_e7, longitude_e7, text, starts_at, time_zone, rrule,
        condition, radius_m, next_at_ms, is_armed, told_at_ms, told_for_ms
        """

    /// In the order of ``columns``.
    var values: [SQLValue] {
        func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
        func time(_ value: Timestamp?) -> SQLValue { value.map { SQLValue($0) } ?? .null }
        var (condition, radius) = ("time", SQLValue.null)
        switch reminder.condition {
        case .time: break
        case .opening: condition = "opens"
        case .near(let metres): (condition, radius) = ("near", .real(metres))
        }
        return [
            .text(reminder.id.description), SQLValue(user), .text(reminder.place.id.text),
            .text(reminder.place.name), .integer(Int64(reminder.place.coordinate.latitudeE7)),
            .integer(Int64(reminder.place.coordinate.longitudeE7)), .text(reminder.text),
            .text(reminder.start.text), .text(reminder.timeZone),
            text(reminder.recurrence?.text), .text(condition), radius, time(nextAt),
            .integer(isArmed ? 1 : 0), time(toldAt), time(toldFor),
        ]
    }
}
