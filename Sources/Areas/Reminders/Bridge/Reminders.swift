import Contract
import Schedules
import Store
import Tracking

/// Reminders at places: sent as notices, once for each time, also for a time while the service was
/// down.
final class Reminders: AreaHandler {
    typealias State = RemindersState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: RemindersState

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    static let counters = ["reminders", "reminders-told"]

    func perform(
        _ command: ReminderCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .create(let details): try create(details, person)
        case .update(let id, let details): try update(id, details, person)
        case .delete(let id): try delete(id, person)
        case .list(let after): try list(after: after, person)
        }
    }

    // MARK: Requests

    private func create(_ details: ReminderDetails, _ person: Person) throws -> [UInt8] {
        let count = try transaction.countReminders(of: person.id)
        guard count < BridgeSettings.maximumReminders else {
            let limit = BridgeSettings.maximumReminders
            throw Problem(.tooMany, "A user may have at most \(limit) reminders.")
        }
        let id = UUIDv7(at: now, random: (random.next(), random.next()))
        let row = ReminderRow(try reminder(id, details, after: nil, person), of: person.id)
        self.count("reminders")
        return try save(row, of: person)
    }

    private func update(_ id: UUIDv7, _ details: ReminderDetails, _ person: Person)
        throws -> [UInt8]
    {
        let old = try known(id, of: person)
        var row = old
        row.reminder = try reminder(id, details, after: old.reminder, person)
        // A change of only the text does not make it due again.
        guard !row.reminder.isDueLike(old.reminder) else {
            return try save(row, of: person, at: nil)
        }
        (row.isArmed, row.toldFor) = (false, nil)
        return try save(row, of: person)
    }

    /// - Parameter at: the new due time; nil to leave it unchanged.
    private func save(_ new: ReminderRow, of person: Person) throws -> [UInt8] {
        var row = new
        // The current second counts as not over.
        row.nextAt = next(of: row, after: now - .milliseconds(1))
        guard row.nextAt != nil else { throw Problem(invalid: [never(row.reminder)]) }
        return try save(row, of: person, at: row.nextAt)
    }

    private func save(_ row: ReminderRow, of person: Person, at due: Timestamp?) throws -> [UInt8] {
        try transaction.save(row)
        state.note(row)
        if let due { state.next = min(state.next ?? due, due) }
        noteUsage(.changes, of: person)
        return Reminder.result.bytes(of: row.listed)
    }

    private func delete(_ id: UUIDv7, _ person: Person) throws -> [UInt8] {
        _ = try transaction.deleteReminder(id, of: person.id)
        state.forget(id, of: person.id)
        return Array("{}".utf8)
    }

    private func list(after: UUIDv7?, _ person: Person) throws -> [UInt8] {
        var page = ListPage()
        let rows = try transaction.reminders(
            of: person.id, after: after?.description ?? "", limit: ListPage.rows)
        page.fill(rows) { row in
            (row.reminder.id.description, { $0.object(Reminder.payload, row.listed) })
        }
        return page.result(Reminder.list)
    }

    private func known(_ id: UUIDv7, of person: Person) throws -> ReminderRow {
        let row = try transaction.reminder(id, of: person.id)
        guard let row else {
            throw Problem(.unknownReminder, "You have no reminder with that identifier.")
        }
        return row
    }

    // MARK: Retention

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        try transaction.deleteReminders(
            toldBefore: sweep.startedAt - settings.retention.notices, atMost: limit) >= limit
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        state.forgetAll(of: person.id)
    }
}

extension Reminder {
    /// Whether both are due at the same times.
    fileprivate func isDueLike(_ other: Reminder) -> Bool {
        place.id == other.place.id && start == other.start && timeZone == other.timeZone
            && recurrence?.text == other.recurrence?.text && condition == other.condition
    }
}
