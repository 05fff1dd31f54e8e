import Contract
import Schedules
import Store
import Tracking

/// Reminders due by the clock and by positions.
extension Reminders {
    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(RemindersState.self)
        if state.clockWasSet || !state.changedPlaces.isEmpty || !state.passedOver.isEmpty {
            return Timestamp(milliseconds: 0)
        }
        return state.next
    }

    func finish(_ people: [Person]) throws {
        // A call for help is sent first.
        guard !turn.hasCallForHelp else { return }
        try takePassedOver()
        if state.clockWasSet { try recheckAfterClockChange() }
        try lookAtChangedPlaces()
        guard let next = state.next, next <= now else { return }
        let due = try transaction.dueReminders(by: now, limit: Reminders.toldInTurn)
        for row in due {
            try charge(memory.people[row.user]?.budget) { try pass(row) }
        }
        state.next = try transaction.nextReminder()
    }

    private func takePassedOver() throws {
        state.taken = Array(state.passedOver.sorted().prefix(Reminders.toldInTurn))
        state.passedOver.subtract(state.taken)
        for user in state.taken {
            guard let person = memory.people[user], let fix = person.tracker.latest else {
                continue
            }
            try charge(person.budget) { try moved(to: fix, of: person) }
        }
    }

    /// Reminders per turn: at nine o'clock many are due at once, which must not delay other work.
    private static let toldInTurn = 50

    private func pass(_ row: ReminderRow) throws {
        guard let due = row.nextAt, let person = memory.people[row.user] else { return }
        if case .near = row.reminder.condition {
            var waiting = row
            (waiting.nextAt, waiting.isArmed) = (nil, true)
            try transaction.save(waiting)
            state.note(waiting)
        } else {
            try tell(row, to: person, for: due)
        }
    }

    /// Sends the reminder, and finds the next time. Missed times in between are sent once.
    private func tell(_ row: ReminderRow, to person: Person, for due: Timestamp) throws {
        count("reminders-told")
        var told = row
        (told.toldAt, told.toldFor, told.isArmed) = (now, max(due, now), false)
        told.nextAt = row.reminder.recurrence == nil ? nil : next(of: told, after: max(due, now))
        try transaction.save(told)
        state.note(told)
        if let next = told.nextAt { state.next = min(state.next ?? next, next) }
        let reminder = row.reminder
        try areas.notices.add(
            .reminder(
                reminder.id, place: reminder.place.id, name: reminder.place.name,
                text: reminder.text, at: due),
            for: person)
    }

    /// Returns when the reminder is due after a moment; nil if never.
    func next(of row: ReminderRow, after moment: Timestamp) -> Timestamp? {
        let reminder = row.reminder
        let start = start(of: reminder)
        switch reminder.condition {
        case .opening: return nextOpening(of: row)
        case .time:
            guard reminder.recurrence != nil else { return start > moment ? start : nil }
            return nextOccurrence(of: reminder, after: moment)
        case .near:
            // The time from which it counts may be past.
            guard reminder.recurrence != nil else { return max(start, moment) }
            return nextOccurrence(of: reminder, after: moment)
        }
    }

    private func nextOccurrence(of reminder: Reminder, after moment: Timestamp) -> Timestamp? {
        let clock = ZoneClock(reminder.timeZone)
        var days = 0
        let next = reminder.recurrence?.next(
            after: moment, from: reminder.start, counting: &days
        ) { clock?.offset(at: $0) ?? 0 }
        look(at: days / Reminders.daysAtOnce)
        return next?.moment
    }

    /// The days of a rule that cost as much as one list entry.
    private static let daysAtOnce = 10

    private func start(of reminder: Reminder) -> Timestamp {
        let clock = ZoneClock(reminder.timeZone)
        return reminder.start.timestamp { clock?.offset(at: $0) ?? 0 }
    }

    /// Returns when the place first opens after the reminder's first pending time: always the same
    /// result, as long as the opening hours are unchanged.
    private func nextOpening(of row: ReminderRow) -> Timestamp? {
        guard case .place(let place) = row.reminder.place.id else { return nil }
        let start = start(of: row.reminder)
        let pending =
            row.reminder.recurrence == nil
            ? start
            : nextOccurrence(
                of: row.reminder, after: row.toldFor ?? start - .milliseconds(1))
        return pending.flatMap {
            areas.places.nextOpening(of: place, after: max($0, now) - .milliseconds(1))
        }
    }

    // MARK: Near

    /// Compares a person's newest fix with their reminders.
    func moved(to fix: Fix, of person: Person) throws {
        guard let armed = state.armed[person.id],
            now <= fix.takenAt + settings.rules.backfillAge,
            fix.accuracy ?? 0 <= settings.rules.usableAccuracy
        else { return }
        // A call for help is sent first.
        guard !turn.hasCallForHelp else {
            state.passedOver.insert(person.id)
            return
        }
        for (id, place) in armed.sorted(by: { $0.key < $1.key })
        where place.coordinate.distance(to: fix.coordinate) <= place.radius {
            guard let row = try transaction.reminder(id, of: person.id) else { continue }
            try tell(row, to: person, for: now)
        }
    }

    // MARK: Changes

    /// Records that the clock was set. A reminder already sent for a time that is far in the future
    /// again is sent then as well; a small correction repeats nothing.
    func rescheduleAll() { state.clockWasSet = true }

    private func recheckAfterClockChange() throws {
        let rows = try transaction.reminders(
            toldAfter: now + Reminders.correction, limit: Reminders.lookedAtInTurn)
        for row in rows {
            var again = row
            again.toldAt = now
            // Including one without recurrence that was sent too early.
            if row.reminder.recurrence != nil || start(of: row.reminder) > now {
                (again.toldFor, again.isArmed) = (row.reminder.recurrence == nil ? nil : now, false)
                again.nextAt = next(of: again, after: now)
            }
            try save(again)
        }
        if rows.count < Reminders.lookedAtInTurn { state.clockWasSet = false }
    }

    /// Records that a place's opening hours changed, or the place was removed.
    func openingHoursChanged(of place: Name) throws {
        let waiting = try transaction.remindersOfOpening(.place(place), after: "", limit: 1)
        if !waiting.isEmpty { state.changedPlaces[place] = "" }
    }

    private func lookAtChangedPlaces() throws {
        guard let (place, last) = state.changedPlaces.min(by: { $0.key < $1.key }) else { return }
        let rows = try transaction.remindersOfOpening(
            .place(place), after: last, limit: Reminders.lookedAtInTurn)
        for row in rows {
            let isOver = row.toldFor != nil && row.reminder.recurrence == nil
            // A due one is sent.
            guard !isOver, row.nextAt.map({ $0 > now }) ?? true else { continue }
            var again = row
            again.nextAt = nextOpening(of: row)
            if again.nextAt != row.nextAt { try save(again) }
        }
        state.changedPlaces[place] =
            rows.count < Reminders.lookedAtInTurn ? nil : rows.last?.reminder.id.description
    }

    private func save(_ row: ReminderRow) throws {
        try transaction.save(row)
        state.note(row)
        if let next = row.nextAt { state.next = min(state.next ?? next, next) }
    }

    private static let correction = Duration.seconds(3_600)
    private static let lookedAtInTurn = 50
}
