import Contract
import Store
import Tracking

/// What the reminders need between turns: when the next one is due, and who is to be reminded where.
final class RemindersState: AreaState {
    /// When the clock does something about one of them.
    var next: Timestamp?
    /// Those that wait for their owners to be near.
    private(set) var armed: [UserID: [UUIDv7: Armed]] = [:]
    /// Whether the clock may have been set back, and some were told for a time that is to come again.
    var clockWasSet = false
    /// Places that open at other times than before, and how far their reminders were looked at.
    var changedPlaces: [Name: String] = [:]

    /// The people whose newest position was not compared with their reminders, because the turn had a call
    /// for help. It is not stored: after a restart their next position is.
    var passedOver: Set<UserID> = []
    /// Those of them that the running turn has taken, or the last one.
    var taken: [UserID] = []

    struct Armed {
        let coordinate: Coordinate
        /// Metres.
        let radius: Double
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        next = try transaction.nextReminder()
        for row in try transaction.armedReminders() { note(row) }
        // What was to be looked at is not stored.
        for place in try transaction.placesOfOpening() { changedPlaces[place] = "" }
    }

    func takeOver(_ old: RemindersState) { passedOver = old.passedOver.union(old.taken) }

    /// Knows from now on whether it waits for its owner to be near.
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
