import Contract
import Store
import Tracking

/// The reminders' state between turns: the next due time, and the positions to watch.
final class RemindersState: AreaState {
    /// The time at which the next reminder is due by the clock.
    var next: Timestamp?
    /// The reminders that wait for their owners to be near.
    private(set) var armed: [UserID: [UUIDv7: Armed]] = [:]
    /// Whether the clock may have been set back, so that reminders were sent for times that will be
    /// reached again.
    var clockWasSet = false
    /// Places with changed opening hours, and the last of their reminders examined.
    var changedPlaces: [Name: String] = [:]

    /// The people whose newest position was not compared with their reminders because the turn had
    /// a call for help. It is not stored: after a restart the next position is compared.
    var passedOver: Set<UserID> = []
    /// The people whom the current turn, or the last one, removed from ``passedOver``.
    var taken: [UserID] = []

    struct Armed {
        let coordinate: Coordinate
        /// Metres.
        let radius: Double
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        next = try transaction.nextReminder()
        for row in try transaction.armedReminders() { note(row) }
        // Pending examinations are not stored.
        for place in try transaction.placesOfOpening() { changedPlaces[place] = "" }
    }

    func takeOver(_ old: RemindersState) { passedOver = old.passedOver.union(old.taken) }

    /// Updates whether it waits for its owner to be near.
    func note(_ row: ReminderRow) {
        guard row.isArmed, case .near(let radius) = row.reminder.condition else {
            return forget(row.reminder.id, of: row.user)
        }
        armed[row.user, default: [:]][row.reminder.id] = Armed(
            coordinate: row.reminder.place.coordinate, radius: radius)
    }

    func forget(_ id: UUIDv7, of user: UserID) {
        armed[user]?[id] = nil
        if armed[user]?.isEmpty == true { armed[user] = nil }
    }

    func forgetAll(of user: UserID) {
        armed[user] = nil
        passedOver.remove(user)
    }
}
