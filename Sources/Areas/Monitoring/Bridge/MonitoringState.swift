import Contract
import EarlyWarning
import Sealing
import Store
import Tracking

/// The users whose vital signs are monitored.
final class MonitoringState: AreaState {
    private(set) var people: [UserID: Entry] = [:]
    /// The next evaluation by the clock, by user.
    var timers = TimerQueue()
    /// Users with changes to be stored.
    var changed: Set<UserID> = []
    /// The last evaluation of vital signs.
    var evaluatedAt: Timestamp?
    /// The number of unreadable monitors, not yet counted: they start again with the chart's
    /// thresholds.
    var unreadable = 0

    struct Entry {
        let since: Timestamp
        var monitored: Monitored
    }

    /// The movements of monitored users: known again some minutes after a start.
    var movements: [UserID: Movement] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        let rows = try transaction.monitors()
        guard let keys = settings.sealingKeys else {
            unreadable = rows.count
            return
        }
        let opened = try rows.map { row in (row, try row.opened(with: keys)) }
        // An earlier Kith alerted all groups, and an unreadable row does not contain the groups.
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
            // The first evaluation finds the time.
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
