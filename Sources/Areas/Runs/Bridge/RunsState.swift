import Contract
import Store
import Tracking

/// The runs that are not over, and who takes part in them.
final class RunsState: AreaState {
    private(set) var runs: [Name: Entry] = [:]
    /// The runs of each organiser, and those in which each participant is.
    private(set) var organised: [UserID: Set<Name>] = [:]
    private(set) var joined: [UserID: Set<Name>] = [:]
    /// When something happens in one of them by the clock.
    private(set) var next: Timestamp?

    struct Entry {
        var row: RunRow
        var entries: [UserID: RunEntryRow] = [:]
        /// When it was told last, and whether it has changed since.
        var toldAt: Timestamp?
        var hasChanged = false
        /// As what it was told.
        var status: Run.Status

        var run: Run { row.run }

        /// When it becomes something else, or is to be told.
        var nextAt: Timestamp {
            let change = status == .announced ? run.startsAt : run.endsAt
            return hasChanged ? min(change, (toldAt ?? run.startsAt) + Runs.pause) : change
        }
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        // What is over for long is not known here; the first turn does away with the rest.
        let oldest = Timestamp(milliseconds: 0)
        for row in try transaction.runs(endingAfter: oldest) {
            set(Entry(row: row, status: row.run.isCancelled ? .cancelled : .announced))
        }
        for entry in try transaction.runEntries(endingAfter: oldest) {
            runs[entry.run]?.entries[entry.user] = entry
            joined[entry.user, default: []].insert(entry.run)
        }
        // The first look finds out what has begun or ended meanwhile.
        if !runs.isEmpty { schedule(at: oldest) }
    }

    func set(_ entry: Entry) {
        runs[entry.run.id] = entry
        organised[entry.row.organiser, default: []].insert(entry.run.id)
        schedule(at: entry.nextAt)
    }

    func change(_ id: Name, _ body: (inout Entry) -> Void) {
        guard var entry = runs[id] else { return }
        body(&entry)
        runs[id] = entry
        schedule(at: entry.nextAt)
    }

    func add(_ row: RunEntryRow) {
        change(row.run) { $0.entries[row.user] = row }
        joined[row.user, default: []].insert(row.run)
    }

    func remove(_ user: UserID, from id: Name) {
        change(id) { $0.entries[user] = nil }
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

    func schedule(at moment: Timestamp) { next = min(next ?? moment, moment) }

    /// To be called once everything that was due is done.
    func reschedule() { next = runs.values.map(\.nextAt).min() }
}
