import Contract
import Store
import Tracking

/// The runs that are not over, and who takes part in them.
final class RunsState: AreaState {
    private(set) var runs: [Name: Entry] = [:]
    /// The runs of each organiser, and those in which each participant is.
    private(set) var organised: [UserID: Set<Name>] = [:]
    private(set) var joined: [UserID: Set<Name>] = [:]
    /// When one of them begins or ends.
    private(set) var next: Timestamp?

    struct Entry {
        var row: RunRow
        var entries: [UserID: RunEntryRow] = [:]

        var run: Run { row.run }

        /// When it becomes something else than it was told to be.
        var nextAt: Timestamp { row.status == .announced ? run.startsAt : run.endsAt }
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        for row in try transaction.openRuns() { set(Entry(row: row)) }
        for entry in try transaction.openRunEntries() {
            runs[entry.run]?.entries[entry.user] = entry
            joined[entry.user, default: []].insert(entry.run)
        }
    }

    func set(_ entry: Entry) {
        runs[entry.run.id] = entry
        organised[entry.row.organiser, default: []].insert(entry.run.id)
        next = min(next ?? entry.nextAt, entry.nextAt)
    }

    func change(_ id: Name, _ body: (inout RunRow) -> Void) {
        guard var entry = runs[id] else { return }
        body(&entry.row)
        set(entry)
    }

    func add(_ row: RunEntryRow) {
        runs[row.run]?.entries[row.user] = row
        joined[row.user, default: []].insert(row.run)
    }

    func remove(_ user: UserID, from id: Name) {
        runs[id]?.entries[user] = nil
        joined[user]?.remove(id)
        if joined[user]?.isEmpty == true { joined[user] = nil }
    }

    func remove(_ id: Name) {
        guard let entry = runs.removeValue(forKey: id) else { return }
        for user in entry.entries.keys {
            joined[user]?.remove(id)
            if joined[user]?.isEmpty == true { joined[user] = nil }
        }
        organised[entry.row.organiser]?.remove(id)
        if organised[entry.row.organiser]?.isEmpty == true {
            organised[entry.row.organiser] = nil
        }
    }

    /// To be called once everything that was due is done.
    func reschedule() { next = runs.values.map(\.nextAt).min() }
}
