import Contract
import Schedules
import Tracking

/// Conversion of requests to reminders.
extension Reminders {
    /// - Parameter old: the previous reminder, whose values are kept where not given.
    /// - Throws: all errors.
    func reminder(
        _ id: UUIDv7, _ details: ReminderDetails, after old: Reminder?, _ person: Person
    ) throws -> Reminder {
        var errors: [Problem.FieldError] = []
        let place = try details.place.map { try self.place($0, person) }
        let zone = details.timeZone ?? old?.timeZone ?? place?.timeZone
        let clock = zone.flatMap { ZoneClock($0) }
        if clock == nil {
            let reason = zone == nil ? "is missing" : "is not a time zone name"
            errors.append(.init(field: "timeZone", reason: reason))
        }
        let condition = condition(details, old, &errors)
        let start: CivilDateTime? = clock.map { clock in
            switch details.at {
            case .local(let local)?: local
            case .instant(let instant)?: CivilDateTime(instant, offset: clock.offset)
            case nil: old?.start ?? CivilDateTime(now, offset: clock.offset)
            }
        }
        if condition == .opening, case .place(let name)? = details.place ?? old?.place.id,
            !areas.places.knowsOpening(of: name)
        {
            errors.append(
                .init(field: "when", reason: "is opens, but the place's opening hours are unknown"))
        } else if condition == .opening, case .geofence? = details.place ?? old?.place.id {
            errors.append(.init(field: "when", reason: "must be time or near: it never opens"))
        }
        let recurrence = details.repetition.applied(to: old?.recurrence)
        guard errors.isEmpty, let start, let zone, let place = place?.place ?? old?.place,
            let text = details.text ?? old?.text
        else { throw Problem(invalid: errors) }
        return Reminder(
            id: id, place: place, text: text, start: start, timeZone: zone,
            recurrence: recurrence, condition: condition)
    }

    private func condition(
        _ details: ReminderDetails, _ old: Reminder?, _ errors: inout [Problem.FieldError]
    ) -> Reminder.Condition {
        switch details.condition {
        case .time?: return .time
        case .opens?: return .opening
        case .near?, nil:
            let known: Double? =
                if case .near(let radius)? = old?.condition { radius } else { nil }
            if details.condition == nil, known == nil { return old?.condition ?? .time }
            guard let radius = details.radius ?? known else {
                errors.append(.init(field: "radius", reason: "is missing"))
                return .time
            }
            return .near(radius)
        }
    }

    private func place(_ id: PlaceID, _ person: Person) throws
        -> (place: ReminderPlace, timeZone: String?)
    {
        switch id {
        case .place(let name):
            guard let place = areas.places.place(name) else { break }
            return (
                ReminderPlace(id: id, name: place.name, coordinate: place.coordinate),
                place.timeZone
            )
        case .geofence(let fence):
            guard let fence = areas.geofences.fence(fence, for: person) else { break }
            return (
                ReminderPlace(id: id, name: fence.name, coordinate: fence.circle.centre), nil
            )
        }
        throw Problem(.unknownPlace, "There is no place with that identifier.")
    }

    /// Returns why it would never be due.
    func never(_ reminder: Reminder) -> Problem.FieldError {
        switch reminder.condition {
        case _ where reminder.recurrence != nil:
            .init(field: "rrule", reason: "has no time in the future")
        case .time, .near: .init(field: "at", reason: "must be in the future")
        case .opening: .init(field: "when", reason: "is opens, but the place does not open again")
        }
    }
}
