import Contract
import Store
import Tracking

/// Those for whom help was called, until that is over.
final class DispatchState: AreaState {
    private(set) var open: [UserID: Entry] = [:]
    private var users: [UUIDv7: UserID] = [:]
    /// Who calls.
    let sender: String
    /// Those for whom help is called again by the clock.
    var timers = TimerQueue()

    struct Entry {
        var incident: Incident
        /// When whoever sends help is called again; nil once they have answered.
        var nextAt: Timestamp?
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        sender = settings.emergency.sender
        guard let keys = settings.sealingKeys else { return }
        for row in try transaction.openIncidents() {
            guard let incident = row.opened(with: keys) else { continue }
            set(Entry(incident: incident, nextAt: row.nextAt), of: row.user)
        }
    }

    func set(_ entry: Entry, of user: UserID) {
        open[user] = entry
        users[entry.incident.id] = user
        if let next = entry.nextAt { timers.schedule(user, by: next) }
    }

    func remove(_ user: UserID) {
        if let entry = open.removeValue(forKey: user) { users[entry.incident.id] = nil }
    }

    func user(of incident: UUIDv7) -> UserID? { users[incident] }
}
