internal import JSON
public import Schedules
public import Tracking

/// Users' requests about reminders.
public enum ReminderCommand: AreaCommand {
    case create(ReminderDetails)
    /// Values that are not given are kept.
    case update(UUIDv7, ReminderDetails)
    case delete(UUIDv7)
    case list(after: UUIDv7?)
}

/// The details of a reminder in a request.
public struct ReminderDetails: Sendable {
    public var place: PlaceID?
    public var text: String?
    public var at: Moment?
    public var timeZone: String?
    public var repetition: Edit<Recurrence>
    public var condition: Condition?
    /// Metres.
    public var radius: Double?

    public enum Moment: Hashable, Sendable {
        /// A local time in a zone.
        case local(CivilDateTime)
        case instant(Timestamp)
    }

    public enum Condition: String, Hashable, Sendable, CaseIterable {
        case time, opens, near
    }
}

extension ReminderDetails {
    private static let place = Form("place", .placeID, "of `place.list` or `geofence.list`")
    private static let text = Form("text", .line(atMost: Reminder.longestText))
    private static let at = Form(
        "at", .moment, "`2026-12-24T18:00` in `timeZone`, or an RFC 3339 time")
    private static func zone(_ words: String? = nil) -> Form<String?> {
        Form("timeZone", .timeZone, words).ifPresent
    }
    private static let rule = Form("rrule", .recurrence, "as in RFC 5545, `null` for none").orNull
    private static let radius = Form("radius", .number(Reminder.radius), "metres")

    /// A struct: as a tuple it crashes the compiler (Swift 6.3.1).
    fileprivate struct Due {
        var when: Condition
        var at: Moment?
        var radius: Double?
    }

    private static let due: Form<Due> = .cases("when", of: Condition.self, usual: .time) { when in
        switch when {
        case .time: at.map { Due(when: when, at: $0) }
        case .opens: at.ifPresent.map { Due(when: when, at: $0) }
        case .near: Form(at.ifPresent, radius) { Due(when: when, at: $0, radius: $1) }
        }
    }

    /// All fields that a reminder needs.
    static let whole = Form(
        place, text, due, zone("default: the place's"), rule
    ) { place, text, due, zone, rule in
        ReminderDetails(
            place: place, text: text, at: due.at, timeZone: zone, repetition: rule,
            condition: due.when, radius: due.radius)
    }

    /// The fields to change.
    static let part = Form(
        place.ifPresent, text.ifPresent, at.ifPresent, zone(), rule,
        Form("when", .choice(of: Condition.self)).ifPresent, radius.ifPresent
    ) { place, text, at, zone, rule, condition, radius in
        ReminderDetails(
            place: place, text: text, at: at, timeZone: zone, repetition: rule,
            condition: condition, radius: radius)
    }
}

extension Kind where Value == PlaceID {
    static let placeID = Kind.text(
        .rule("a place id"), orRefuse: "is not a place id"
    ) { PlaceID($0) }
}

extension Kind where Value == ReminderDetails.Moment {
    fileprivate static let moment = Kind(.time) { value, field, fields, _ in
        if case .string(let text) = value, let local = CivilDateTime(text) { return .local(local) }
        return fields.time(value, field).map { .instant($0) }
    }
}

extension Kind where Value == Recurrence {
    fileprivate static let recurrence = Kind.text("an RFC 5545 recurrence rule") {
        text throws(DisplayName.Reason) in
        do throws(Recurrence.Refusal) {
            return try Recurrence(text)
        } catch {
            throw DisplayName.Reason(text: error.sentence)
        }
    }
}
