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

    /// How those who are watched move: known again some minutes after a start.
    var movements: [UserID: Movement] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        let rows = try transaction.monitors()
        guard let keys = settings.sealingKeys else {
            unreadable = rows.count
            return
        }
        let opened = rows.map { ($0, $0.opened(with: keys)) }
        // An earlier Kith alerted all groups, and a row that cannot be read does not say which.
        let isUnknown = opened.contains { $0.1?.groups == nil }
        let groups = Dictionary(
            grouping: isUnknown ? try transaction.memberships() : [], by: \.user
        ).mapValues { $0.map(\.group).sorted() }
        for (row, known) in opened {
            if let known, known.groups == nil || row.sealed.key != keys.newest {
                changed.insert(row.user)
            }
            if known == nil { unreadable += 1 }
            var monitored = known ?? Monitored(monitor: Monitor(at: row.since))
            monitored.groups = monitored.groups ?? groups[row.user] ?? []
            people[row.user] = Entry(since: row.since, monitored: monitored)
            // The first look finds out when.
            timers.schedule(row.user, by: Timestamp(milliseconds: 0))
        }
    }

    func set(_ entry: Entry, of user: UserID) {
        people[user] = entry
        changed.insert(user)
    }

    func remove(_ user: UserID) {
        (people[user], movements[user]) = (nil, nil)
        changed.remove(user)
    }
}
