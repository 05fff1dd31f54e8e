import Contract
import Store
import Tracking

/// The open incidents and drills.
final class DispatchState: AreaState {
    private(set) var open: [UserID: Entry] = [:]
    private var users: [UUIDv7: UserID] = [:]
    let settings: EmergencySettings
    /// The times of the next calls, by user.
    var timers = TimerQueue()

    /// The drills in progress …
    var drills: [UUIDv7: Drill] = [:]
    /// … and when the next step in one of them is due.
    var drillsDue: Timestamp?
    /// The beginning of the last drills.
    var lastDrillAt: Timestamp?
    /// Whether a way did not answer in one of the last drills.
    var isDrillUnanswered = false

    /// Open incidents that no key opens any more: they cannot be called.
    private(set) var unreadable: [UserID: UUIDv7] = [:]

    struct Entry {
        var incident: Incident
        /// The time of the next call to dispatch; nil after their answer.
        var nextAt: Timestamp?
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        self.settings = settings.emergency
        let last = try transaction.lastDrills()
        lastDrillAt = last.first?.id.time
        isDrillUnanswered = last.contains { $0.nextAt == nil && !$0.isAnswered }
        for drill in try transaction.openDrills() { drills[drill.id] = drill }
        drillsDue = drills.values.compactMap(\.nextAt).min()
        for row in try transaction.openIncidents() {
            guard let keys = settings.sealingKeys, let incident = try row.opened(with: keys) else {
                unreadable[row.user] = row.id
                continue
            }
            set(Entry(incident: incident, nextAt: row.nextAt), of: row.user)
        }
    }

    /// The time of the next drill, or of the next step of a running one.
    var nextDrillDue: Timestamp? {
        guard let every = settings.drillEvery, drills.isEmpty else { return drillsDue }
        return lastDrillAt.map { $0 + every } ?? Timestamp(milliseconds: 0)
    }

    func set(_ entry: Entry, of user: UserID) {
        open[user] = entry
        users[entry.incident.id] = user
        if let next = entry.nextAt { timers.schedule(user, by: next) }
    }

    func takeUnreadable(of user: UserID) -> UUIDv7? { unreadable.removeValue(forKey: user) }

    func remove(_ user: UserID) {
        if let entry = open.removeValue(forKey: user) { users[entry.incident.id] = nil }
    }

    func user(of incident: UUIDv7) -> UserID? { users[incident] }
}
