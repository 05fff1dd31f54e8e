internal import JSON
public import Schedules
public import Tracking

/// What may be asked for about reminders.
public enum ReminderCommand: AreaCommand {
    case create(ReminderDetails)
    /// What is not said stays.
    case update(UUIDv7, ReminderDetails)
    case delete(UUIDv7)
    case list(after: UUIDv7?)

    static func create(_ fields: inout Fields) -> ReminderCommand? {
        let details = fields.reminderDetails(isWhole: true)
        return fields.errors.isEmpty ? .create(details) : nil
    }

    static func update(_ fields: inout Fields) -> ReminderCommand? {
        let id = fields.uuid("reminder")
        let details = fields.reminderDetails(isWhole: false)
        return id.map { .update($0, details) }
    }

    static func list(_ fields: inout Fields) -> ReminderCommand? {
        guard fields["after"] != nil else { return .list(after: nil) }
        return fields.uuid("after").map { .list(after: $0) }
    }
}

/// What somebody says of a reminder.
public struct ReminderDetails: Sendable {
    public var place: PlaceID?
    public var text: String?
    public var at: Moment?
    public var timeZone: String?
    public var repetition: Repetition?
    public var condition: Condition?
    /// Metres.
    public var radius: Double?

    public enum Moment: Hashable, Sendable {
        /// By the clocks of a time zone.
        case local(CivilDateTime)
        case instant(Timestamp)
    }

    public enum Repetition: Sendable {
        /// As `"rrule":null` says.
        case never
        case rule(Recurrence)
    }

    public enum Condition: String, Hashable, Sendable, CaseIterable {
        case time, opens, near
    }
}

extension Fields {
    /// - Parameter isWhole: whether everything has to be there that a reminder needs.
    mutating func reminderDetails(isWhole: Bool) -> ReminderDetails {
        var details = ReminderDetails()
        if isWhole || self["place"] != nil { details.place = placeID("place") }
        if isWhole || self["text"] != nil {
            details.text = line("text", atMost: Reminder.longestText)
        }
        details.condition = condition()
        if self["at"] != nil || isWhole && (details.condition ?? .time) == .time {
            details.at = moment("at")
        }
        if self["timeZone"] != nil { details.timeZone = timeZone("timeZone") }
        details.repetition = isNull("rrule") ? .never : recurrence("rrule").map { .rule($0) }
        details.radius = number(ifPresent: "radius", in: Reminder.radius)
        if details.condition == .near, isWhole, self["radius"] == nil {
            refuse("radius", "is missing")
        }
        return details
    }

    mutating func placeID(_ field: String) -> PlaceID? {
        guard let text = string(field) else { return nil }
        guard let id = PlaceID(text) else {
            refuse(field, "is not the id of a place")
            return nil
        }
        return id
    }

    private mutating func condition() -> ReminderDetails.Condition? {
        guard let text = string(ifPresent: "when") else { return nil }
        guard let condition = ReminderDetails.Condition(rawValue: text) else {
            refuse("when", "must be time, opens or near")
            return nil
        }
        return condition
    }

    private mutating func moment(_ field: String) -> ReminderDetails.Moment? {
        if case .string(let text)? = self[field], let local = CivilDateTime(text) {
            return .local(local)
        }
        return time(field).map { .instant($0) }
    }

    private mutating func recurrence(_ field: String) -> Recurrence? {
        guard let text = string(ifPresent: field) else { return nil }
        do {
            return try Recurrence(text)
        } catch {
            refuse(field, error.sentence)
            return nil
        }
    }
}
