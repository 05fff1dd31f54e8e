import Contract
import Store
import Tracking

/// Those for whom help was called, until that is over.
final class DispatchState: AreaState {
    private(set) var open: [UserID: Entry] = [:]
    private var users: [UUIDv7: UserID] = [:]
    let settings: EmergencySettings
    /// Those for whom help is called again by the clock.
    var timers = TimerQueue()

    /// Those that go on, ...
    var drills: [UUIDv7: Drill] = [:]
    /// ... and when something happens in one of them by the clock.
    var drillsDue: Timestamp?
    /// When the last ones began.
    var lastDrillAt: Timestamp?
    /// Whether in one of them a way has not answered.
    var isDrillUnanswered = false

    /// Open incidents that no key opens any more: nobody can be called because of them.
    private(set) var unreadable: [UserID: UUIDv7] = [:]

    struct Entry {
        var incident: Incident
        /// When dispatch is called again; nil once they have answered.
        var nextAt: Timestamp?
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        self.settings = settings.emergency
        let last = try transaction.lastDrills()
        lastDrillAt = last.first?.id.time
        isDrillUnanswered = last.contains { $0.nextAt == nil && !$0.isAnswered }
        for drill in try transaction.openDrills() { drills[drill.id] = drill }
        drillsDue = drills.values.compactMap(\.nextAt).min()
        for row in try transaction.openIncidents() {
            guard let incident = settings.sealingKeys.flatMap({ row.opened(with: $0) }) else {
                unreadable[row.user] = row.id
                continue
            }
            set(Entry(incident: incident, nextAt: row.nextAt), of: row.user)
        }
    }

    /// When the next drill begins, or something happens in one that goes on.
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
