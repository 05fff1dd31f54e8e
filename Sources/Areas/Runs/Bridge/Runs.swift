import Contract
import JSON
import Racing
import Store
import Tracking

/// Runs: organised by people who have agreed to the terms for that, announced to everybody, and
/// joined by whoever likes.
final class Runs: AreaHandler {
    typealias State = RunsState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: RunCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws(Refused) -> [UInt8]? {
        switch command {
        case .organise(let name): try organise(as: name.text, person)
        case .create(let new): return try create(new, by: person)
        case .cancel(let id): try cancel(id, by: person)
        case .list(let query): return try list(query)
        case .get(let id): return try show(id, to: person)
        case .enrol(let id, let name, let showsHeartRate):
            return try enrol(person, in: id, as: name?.text, showsHeartRate)
        case .withdraw(let id): try withdraw(person, from: id)
        }
        return Array("{}".utf8)
    }

    static let counters = ["runs", "runs-cancelled", "run-entries", "run-entries-refused"]

    // MARK: Organising

    private func organise(as name: String, _ person: Person) throws(Refused) {
        try stored { transaction throws(StoreError) in
            try transaction.setOrganiser(
                person.id, name: name, terms: settings.accounts.termsVersion ?? "", at: now)
        }
        noteUsage(.changes, of: person)
    }

    private func create(_ new: RunCommand.NewRun, by person: Person) throws(Refused) -> [UInt8] {
        let organiser = try stored { transaction throws(StoreError) in
            try transaction.organiser(person.id)
        }
        guard let organiser else {
            throw .problem(
                Problem(.notAnOrganiser, "First accept the terms for organisers (run.organise)."))
        }
        guard state.organised[person.id]?.count ?? 0 < BridgeSettings.maximumRuns else {
            let limit = BridgeSettings.maximumRuns
            throw .problem(Problem(.tooMany, "At most \(limit) runs that are not over."))
        }
        let run = Run(
            id: newID(), name: new.name.text, organiser: organiser, place: new.place,
            course: new.course, startsAt: new.startsAt, enrolmentClosesAt: new.enrolmentClosesAt,
            endsAt: new.endsAt, maximum: new.maximum)
        let row = RunRow(run, of: person.id, createdAt: now)
        try stored { transaction throws(StoreError) in try transaction.insert(row) }
        count("runs")
        noteUsage(.changes, of: person)
        state.set(State.Entry(row: row))
        tell(run.id)
        return JSONWriter.object { json in
            json.key("run")
            json.object { $0.run(run, .announced, enrolled: 0, withCourse: false) }
        }
    }

    /// Short enough to be read out, in letters and digits that nobody confuses. Nobody gains anything
    /// by guessing one.
    private func newID() -> Name {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
        while true {
            let text = String((0..<8).map { _ in alphabet[Int(random.next() % 31)] })
            if let name = Name(text), state.runs[name] == nil { return name }
        }
    }

    private func cancel(_ id: Name, by person: Person) throws(Refused) {
        let entry = try known(id)
        guard entry.row.organiser == person.id else {
            throw .problem(Problem(.notAllowed, "Only who organises a run can cancel it."))
        }
        guard entry.row.status != .cancelled else { return }
        guard entry.run.status(at: now) == .announced else {
            throw .problem(Problem(.runStarted, "It has started already."))
        }
        try stored { _ throws(StoreError) in try cancel(entry) }
    }

    func cancel(_ entry: State.Entry) throws(StoreError) {
        try change(entry.run.id, to: .cancelled)
        count("runs-cancelled")
        tell(entry.run.id)
        for user in entry.entries.keys.sorted() {
            guard let person = memory.people[user] else { continue }
            try areas.notices.add(
                .runCancelled(run: entry.run.id, name: entry.run.name), for: person)
        }
    }

    // MARK: Looking for runs

    private func known(_ id: Name) throws(Refused) -> State.Entry {
        guard let entry = state.runs[id] else {
            throw .problem(Problem(.unknownRun, "There is no run with that identifier."))
        }
        return entry
    }

    func list(_ query: RunQuery) throws(Refused) -> [UInt8] {
        let found = state.runs.values
            .filter {
                $0.row.status != .cancelled && query.isMet(by: $0.run)
            }
            .sorted { ($0.run.startsAt, $0.run.id) < ($1.run.startsAt, $1.run.id) }
        var page = ListPage()
        for entry in found {
            let place = "\(entry.run.startsAt.milliseconds).\(entry.run.id)"
            if let after = query.after, place <= after { continue }
            guard page.hasRoom else { return page.result("runs") }
            page.add { json in
                json.object {
                    $0.run(
                        entry.run, entry.row.status, enrolled: entry.entries.count,
                        withCourse: false)
                }
            }
            page.next = place
        }
        page.next = nil
        return page.result("runs")
    }

    /// - Parameter person: nil: somebody who is not logged in.
    func show(_ id: Name, to person: Person?) throws(Refused) -> [UInt8] {
        let entry = try known(id)
        return JSONWriter.object { json in
            json.key("run")
            json.object {
                $0.run(
                    entry.run, entry.row.status, enrolled: entry.entries.count,
                    withCourse: true)
            }
            if let bib = person.flatMap({ entry.entries[$0.id]?.bib }) {
                json.key("bib")
                json.number(bib)
            }
        }
    }

    // MARK: Taking part

    private func enrol(
        _ person: Person, in id: Name, as name: String?, _ showsHeartRate: Bool
    ) throws(Refused) -> [UInt8] {
        let entry = try known(id)
        let mine = entry.entries[person.id]
        if mine == nil {
            do throws(Refused) {
                try checkOpen(entry, for: person)
            } catch {
                count("run-entries-refused")
                throw error
            }
        }
        let row = RunEntryRow(
            run: id, bib: mine?.bib ?? entry.row.lastBib + 1, user: person.id,
            name: name ?? mine?.name ?? person.displayName, showsHeartRate: showsHeartRate,
            at: mine?.at ?? now)
        if row != mine {
            try stored { transaction throws(StoreError) in
                if mine != nil { try transaction.deleteEntry(of: person.id, in: id) }
                try transaction.insert(row, isNew: mine == nil)
            }
            if mine == nil { count("run-entries") }
            noteUsage(.changes, of: person)
            state.add(row)
            state.change(id) { $0.lastBib = max($0.lastBib, row.bib) }
            tell(id)
        }
        return JSONWriter.object { json in
            json.key("bib")
            json.number(row.bib)
        }
    }

    private func checkOpen(_ entry: State.Entry, for person: Person) throws(Refused) {
        let run = entry.run
        switch entry.row.status == .cancelled ? .cancelled : run.status(at: now) {
        case .cancelled: throw .problem(Problem(.runCancelled, "It will not take place."))
        case .over: throw .problem(Problem(.runFinished, "It is over."))
        case .on: throw .problem(Problem(.runStarted, "It has started already."))
        case .announced: break
        }
        guard now <= run.enrolmentClosesAt else {
            throw .problem(
                Problem(
                    .enrolmentClosed,
                    "Enrolment was open until \(run.enrolmentClosesAt.rfc3339)."))
        }
        if let maximum = run.maximum, entry.entries.count >= maximum {
            throw .problem(Problem(.runFull, "All \(maximum) places are taken."))
        }
        guard state.joined[person.id]?.count ?? 0 < BridgeSettings.maximumRunEntries else {
            let limit = BridgeSettings.maximumRunEntries
            throw .problem(Problem(.tooMany, "At most \(limit) runs at the same time."))
        }
    }

    private func withdraw(_ person: Person, from id: Name) throws(Refused) {
        guard state.runs[id]?.entries[person.id] != nil else {
            throw .problem(Problem(.notEnrolled, "You do not take part in it."))
        }
        try stored { transaction throws(StoreError) in
            try transaction.deleteEntry(of: person.id, in: id)
        }
        state.remove(person.id, from: id)
        tell(id)
    }
}

extension RunQuery {
    fileprivate func isMet(by run: Run) -> Bool {
        if let search, run.id.text != search.lowercased(),
            !run.name.lowercased().contains(search.lowercased())
        {
            return false
        }
        if let near, near.coordinate.distance(to: run.place.coordinate) > near.radius {
            return false
        }
        if let from, run.startsAt < from { return false }
        if let to, run.startsAt > to { return false }
        return true
    }
}
