import Contract
import Store
import Tracking

/// The runs about which something can still change, and who takes part in them.
final class RunsState: AreaState {
    private(set) var runs: [Name: Entry] = [:]
    /// Those that are to come or go on, by ``Entry/place``.
    private(set) var announced = SortedList<String, Announced>()
    /// The runs of each organiser, and those in which each participant is.
    private(set) var organised: [UserID: Set<Name>] = [:]
    private(set) var joined: [UserID: Set<Name>] = [:]
    /// How far everybody has come, in those that have begun.
    private(set) var races: [Name: Race] = [:]
    /// When the clock does something about one of them.
    private(set) var next: Timestamp?
    /// Those that look different from what everybody was told, and when everybody was told last.
    var changed: Set<Name> = []
    var toldAt: [Name: Timestamp] = [:]
    /// When somebody last tried to change a course on which people rely.
    var correctedAt: [Name: Timestamp] = [:]

    struct Entry {
        var row: RunRow
        var entries: [UserID: RunEntryRow] = [:]

        var run: Run { row.run }

        /// Where it stands in the list, the next one first.
        var place: String { "\(run.startsAt.milliseconds).\(run.id)" }

        /// When the clock does something about it.
        var nextAt: Timestamp {
            if row.news != nil { return Timestamp(milliseconds: 0) }
            return switch row.status {
            case .announced where row.isReminded: run.startsAt
            case .announced: run.startsAt - Run.reminder
            case .on, .cancelled: run.endsAt
            case .over: run.endsAt + Run.settling
            }
        }
    }

    /// What a search for runs looks at.
    struct Announced {
        let id: Name
        let name: SearchText
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        for row in try transaction.openRuns() { set(Entry(row: row)) }
        for entry in try transaction.openRunEntries() { add(entry) }
        for (id, entry) in runs { prepare(entry, of: id) }
        for (run, user) in try transaction.openRunResults() {
            races[run]?.noteStored(user)
        }
    }

    /// Those who take part are known to the race once the run has begun.
    private func prepare(_ entry: Entry, of id: Name) {
        guard races[id] == nil, entry.row.status == .on || entry.row.status == .over else { return }
        races[id] = Race(entry.run, entry.entries.values.map { $0 })
    }

    func set(_ entry: Entry) {
        unlist(entry.run.id)
        runs[entry.run.id] = entry
        if entry.row.status == .announced || entry.row.status == .on {
            announced.set(
                entry.place, Announced(id: entry.run.id, name: SearchText(entry.run.name)))
        }
        organised[entry.row.organiser, default: []].insert(entry.run.id)
        next = min(next ?? entry.nextAt, entry.nextAt)
    }

    private func unlist(_ id: Name) {
        if let old = runs[id] { announced.remove(old.place) }
    }

    func change(_ id: Name, _ body: (inout RunRow) -> Void) {
        guard var entry = runs[id] else { return }
        body(&entry.row)
        set(entry)
        prepare(entry, of: id)
        races[id]?.set(entry.run)
    }

    func add(_ row: RunEntryRow) {
        runs[row.run]?.entries[row.user] = row
        joined[row.user, default: []].insert(row.run)
        races[row.run]?.change(row.user) { $0.entry = row }
        races[row.run]?.note(row.user)
    }

    func remove(_ user: UserID, from id: Name) {
        runs[id]?.entries[user] = nil
        races[id]?.remove(user)
        joined[user]?.remove(id)
        if joined[user]?.isEmpty == true { joined[user] = nil }
    }

    func remove(_ id: Name) {
        unlist(id)
        guard let entry = runs.removeValue(forKey: id) else { return }
        races[id] = nil
        changed.remove(id)
        (toldAt[id], correctedAt[id]) = (nil, nil)
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
