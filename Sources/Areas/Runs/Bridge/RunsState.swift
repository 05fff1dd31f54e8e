import Contract
import Store
import Tracking

/// The runs that can still change, and their participants.
final class RunsState: AreaState {
    private(set) var runs: [Name: Entry] = [:]
    /// Future and current runs, by ``Entry/place``.
    private(set) var announced = SortedList<String, Announced>()
    /// The runs of each organiser, followed by those of each participant.
    private(set) var organised: [UserID: Set<Name>] = [:]
    private(set) var joined: [UserID: Set<Name>] = [:]
    /// The progress of runs that have begun.
    private(set) var races: [Name: Race] = [:]
    /// The time at which one of them is next due by the clock.
    private(set) var next: Timestamp?
    /// Runs that differ from their published state, followed by the times of the last publications.
    var changed: Set<Name> = []
    var toldAt: [Name: Timestamp] = [:]
    /// The last attempt to change a course with participants.
    var correctedAt: [Name: Timestamp] = [:]

    struct Entry {
        var row: RunRow
        var entries: [UserID: RunEntryRow] = [:]

        var run: Run { row.run }

        func shown(withCourse: Bool) -> Run.Shown {
            (run, row.status, enrolled: entries.count, withCourse: withCourse)
        }

        /// Its key in the list, the next run first.
        var place: String { "\(run.startsAt.milliseconds).\(run.id)" }

        /// The time at which it is next due by the clock.
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

    /// The searchable part of a run.
    struct Announced {
        let id: Name
        let name: SearchText
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for row in try transaction.openRuns() { set(Entry(row: row)) }
        for entry in try transaction.openRunEntries() { add(entry) }
        for (id, entry) in runs { prepare(entry, of: id) }
        for (run, user) in try transaction.openRunResults() {
            races[run]?.noteStored(user)
        }
    }

    /// Passes the participants to the race once the run has begun.
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

    /// Recomputes the next time; to be called once everything that was due is done.
    func reschedule() { next = runs.values.map(\.nextAt).min() }
}
