import Contract
import EarlyWarning
import Sealing
import Store
import Tracking

/// Those whose vital signs are watched.
final class MonitoringState: AreaState {
    private(set) var people: [UserID: Entry] = [:]
    /// Those of whom something happens by the clock.
    var timers = TimerQueue()
    /// Those of whom something is to be stored.
    var changed: Set<UserID> = []
    /// When somebody's vital signs last came.
    var evaluatedAt: Timestamp?
    /// How many could not be read, and are not counted yet: they are watched anew, by the chart.
    var unreadable = 0

    struct Entry {
        let since: Timestamp
        var monitored: Monitored
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        let rows = try transaction.monitors()
        guard let keys = settings.sealingKeys else {
            unreadable = rows.count
            return
        }
        for row in rows {
            let monitored = row.opened(with: keys)
            if monitored == nil { unreadable += 1 }
            if monitored != nil, row.sealed.key != keys.newest { changed.insert(row.user) }
            people[row.user] = Entry(
                since: row.since,
                monitored: monitored ?? Monitored(monitor: Monitor(at: row.since)))
            // The first look finds out when.
            timers.schedule(row.user, by: Timestamp(milliseconds: 0))
        }
    }

    func set(_ entry: Entry, of user: UserID) {
        people[user] = entry
        changed.insert(user)
    }

    func remove(_ user: UserID) {
        people[user] = nil
        changed.remove(user)
    }
}
