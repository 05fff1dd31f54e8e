import Contract
import JSON
import Numbers
import Racing
import Store
import Tracking

/// Runs: organised by people who have accepted the terms for that, announced to everyone, and open
/// to anyone.
final class Runs: AreaHandler {
    typealias State = RunsState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: RunsState
    /// The number of course segments with which each person's fixes were compared in this turn.
    var segmentsRead: [UserID: Int] = [:]

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    func perform(
        _ command: RunCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .organise(let name): try organise(as: name.text, person)
        case .create(let details): return try create(details, by: person)
        case .edit(let id, let details): return try edit(id, details, by: person)
        case .cancel(let id): try cancel(id, by: person)
        case .end(let id): try end(id, by: person)
        case .list(let query): return list(query)
        case .get(let id): return try show(id, to: person)
        case .results(let query): return try results(query)
        case .enrol(let id, let name, let showsHeartRate):
            return try enrol(person, in: id, as: name?.text, showsHeartRate)
        case .withdraw(let id): try withdraw(person, from: id)
        }
        return Array("{}".utf8)
    }

    static let counters = ["runs", "runs-cancelled", "run-entries", "run-entries-refused"]

    func perform(
        _ command: RunGuestCommand, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .list(let query): list(query)
        case .get(let id): try show(id, to: nil)
        case .results(let query): try results(query)
        }
    }

    // MARK: Search

    func known(_ id: Name) throws -> State.Entry {
        guard let entry = state.runs[id] else { throw Runs.unknownRun }
        return entry
    }

    private static let unknownRun = Problem(.unknownRun, "There is no run with that identifier.")

    /// Returns a run, even one that can no longer change.
    private func knownOnce(_ id: Name) throws -> RunRow {
        if let entry = state.runs[id] { return entry.row }
        let row = try transaction.run(id)
        guard let row else { throw Runs.unknownRun }
        return row
    }

    func list(_ query: RunQuery) -> [UInt8] {
        let search = query.search.map { SearchText($0) }
        let rest = state.announced.after(query.after)
        let page = turn.page(from: rest, place: \.key) { found, page in
            look(at: query.near == nil ? 0 : Runs.entriesOfDistance)
            guard let entry = state.runs[found.value.id], query.isMet(by: entry.run) else { return }
            if let search, entry.run.id.text != query.search?.lowercased() {
                look(at: 0, bytes: found.value.name.length)
                guard found.value.name.contains(search) else { return }
            }
            page.add { $0.object(Run.payload, entry.shown(withCourse: false)) }
        }
        return page.result(RunResult.list)
    }

    /// The cost of computing the distance to a run, in list entries.
    private static let entriesOfDistance = 4

    /// - Parameter person: nil for a user who is not logged in.
    func show(_ id: Name, to person: Person?) throws -> [UInt8] {
        let row = try knownOnce(id)
        let entries = state.runs[id]?.entries
        let enrolled = try entries?.count ?? transaction.countEntries(in: id)
        return RunResult.shown.bytes(
            of: (
                (row.run, row.status, enrolled, withCourse: true),
                bib: person.flatMap { entries?[$0.id]?.bib }, isOwn: person?.id == row.organiser
            ))
    }

    func results(_ query: RunResultsQuery) throws -> [UInt8] {
        let row = try knownOnce(query.run)
        let limit = query.withSplits ? Runs.resultsWithSplits : Runs.resultsAtATime
        let results =
            row.status == .over
            ? try transaction.runResults(query.run, after: query.after, limit: limit + 1) : []
        return JSONWriter.object { json in
            json.key("results")
            json.array(results.prefix(limit)) { json, result in
                json.object { $0.result(result, of: row.run, withSplits: query.withSplits) }
            }
            json.key("next")
            if results.count > limit { json.number(query.after + limit) } else { json.null() }
        }
    }

    private static let resultsAtATime = 200
    /// A result has at most 3,000 bytes.
    private static let resultsWithSplits = 15

    // MARK: Participation

    private func enrol(
        _ person: Person, in id: Name, as name: String?, _ showsHeartRate: Bool
    ) throws -> [UInt8] {
        let entry = try known(id)
        let mine = entry.entries[person.id]
        if mine == nil {
            do {
                try checkOpen(entry, for: person)
            } catch {
                count("run-entries-refused")
                throw error
            }
        }
        let row = RunEntryRow(
            run: id, bib: mine?.bib ?? entry.row.lastBib + 1, user: person.id,
            name: name ?? mine?.name, showsHeartRate: showsHeartRate,
            at: mine?.at ?? now)
        if row != mine {
            if mine == nil { try transaction.insert(row) } else { try transaction.update(row) }
            if mine == nil { count("run-entries") }
            noteUsage(.changes, of: person)
            state.add(row)
            state.change(id) { $0.lastBib = max($0.lastBib, row.bib) }
            tell(id)
        }
        return RunResult.enrolled.bytes(of: row.bib)
    }

    private func checkOpen(_ entry: State.Entry, for person: Person) throws {
        let run = entry.run
        // Including when the clock was set back after the start.
        switch entry.row.status == .announced ? run.status(at: now) : entry.row.status {
        case .cancelled: throw Problem(.runCancelled, "It is cancelled.")
        case .over: throw Problem(.runFinished, "It is over.")
        case .on: throw Problem(.runStarted, "It has already started.")
        case .announced: break
        }
        guard now <= run.enrolmentClosesAt else {
            throw Problem(
                .enrolmentClosed, "Enrolment was open until \(run.enrolmentClosesAt.rfc3339).")
        }
        if let maximum = run.maximum, entry.entries.count >= maximum {
            throw Problem(.runFull, "All \(maximum) places are taken.")
        }
        guard state.joined[person.id]?.count ?? 0 < BridgeSettings.maximumRunEntries else {
            let limit = BridgeSettings.maximumRunEntries
            throw Problem(.tooMany, "You may enrol in at most \(limit) runs at the same time.")
        }
    }

    private func withdraw(_ person: Person, from id: Name) throws {
        // Including the result in a run that ended long ago.
        let isGone = try transaction.deleteEntry(of: person.id, in: id)
        guard isGone else { throw Problem(.notEnrolled, "You are not taking part in it.") }
        if state.runs[id] != nil { leave(person, id) }
    }

    /// Returns the runs in which everyone can see the person.
    func consents(of person: Person) -> [RunResult.Consent] {
        (state.joined[person.id] ?? []).sorted().compactMap { id in
            guard let entry = state.runs[id], let mine = entry.entries[person.id] else {
                return nil
            }
            return (id, entry.run.name, mine.bib, mine.name, mine.showsHeartRate, mine.at)
        }
    }

    func leave(_ person: Person, _ id: Name) {
        if let bib = state.runs[id]?.entries[person.id]?.bib { clear(bib, in: id) }
        state.remove(person.id, from: id)
        tell(id)
    }

    /// Withdraws the person from all future and current runs, to hide them.
    ///
    /// - Returns: the number of runs.
    func leaveAll(_ person: Person) throws -> Int {
        let left = (state.joined[person.id] ?? []).sorted().filter { id in
            state.runs[id].map { [.announced, .on].contains($0.row.status) } ?? false
        }
        for id in left { try withdraw(person, from: id) }
        return left.count
    }
}

extension JSONWriter {
    fileprivate mutating func result(_ result: RunResultRow, of run: Run, withSplits: Bool) {
        let state = RunnerState(
            bib: result.bib, name: result.name, runner: result.runner, heartRate: nil, isOver: true,
            clock: run.clock)
        members(RunnerState.payload, state.shown(rank: result.rank))
        guard withSplits else { return }
        key("splits")
        array(result.runner.splits) { json, split in
            let seconds = (split.at - run.startsAt).milliseconds / 1_000
            json.array([seconds, Int64(clamping: split.distance.rounded())]) { $0.number($1) }
        }
    }
}

extension RunQuery {
    /// Whether the run meets the query, apart from its name.
    fileprivate func isMet(by run: Run) -> Bool {
        if let near, near.coordinate.distance(to: run.place.coordinate) > near.radius {
            return false
        }
        if let from, run.startsAt < from { return false }
        if let to, run.startsAt > to { return false }
        return true
    }
}
