import Contract
import Store
import Tracking

/// Publication of runs, and changes by the clock.
extension Runs {
    private static func message(_ entry: State.Entry) -> [UInt8] {
        Run.payload.bytes(of: entry.shown(withCourse: true))
    }

    /// Queues the run's publication at the end of the turn, or a second after the last one, since
    /// its course makes it long.
    func tell(_ id: Name) { state.changed.insert(id) }

    /// Clears the state of a former participant.
    func clear(_ bib: Int, in id: Name) {
        if state.races[id] != nil { retain(.runner(bib, in: id), []) }
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(RunsState.self)
        let told = state.changed.map {
            state.toldAt[$0].map { $0 + pace } ?? Timestamp(milliseconds: 0)
        }
        return ([state.next, raceDue(state)].compactMap { $0 } + told).min()
    }

    func finish(_ people: [Person]) throws {
        try passTime()
        try race(people)
        for id in state.changed.sorted() {
            guard state.toldAt[id].map({ now >= $0 + Runs.pace }) ?? true else { continue }
            state.changed.remove(id)
            state.toldAt[id] = now
            if let entry = state.runs[id] { retain(.run(id), Runs.message(entry)) }
        }
    }

    /// Adapts to a clock that was set.
    func rescheduleAll() {
        state.toldAt = [:]
        for race in state.races.values {
            (race.toldAt, race.orderToldAt, race.pageToldAt) = (nil, nil, nil)
        }
        state.correctedAt = [:]
    }

    // MARK: The clock

    private func passTime() throws {
        guard let next = state.next, next <= now else { return }
        for id in state.runs.keys.sorted() {
            guard let entry = state.runs[id], entry.nextAt <= now else { continue }
            if entry.row.news != nil {
                try tellParticipants(of: entry)
            } else {
                try advance(entry)
            }
        }
        state.reschedule()
    }

    /// Advances a run to its next status.
    func advance(_ entry: State.Entry) throws {
        let (id, run) = (entry.run.id, entry.run)
        switch entry.row.status {
        case .announced where now >= run.startsAt:
            try change(id) { $0.status = .on }
        case .announced:
            try change(id) { ($0.isReminded, $0.news, $0.toldBib) = (true, .starting, 0) }
        case .on:
            try change(id) { $0.status = .over }
            clearRunners(of: entry)
            state.races[id]?.isOrderChanged = true
            state.races[id]?.orderToldAt = nil
            state.races[id]?.pagesToTell.removeAll()
        case .over, .cancelled:
            try change(id) { $0.isClosed = true }
            retain(.run(id), [])
            if let race = state.races[id] { clearStandings(of: id, through: max(1, race.pages)) }
            state.remove(id)
        }
    }

    /// Clears the positions of all runners.
    func clearRunners(of entry: State.Entry) {
        for bib in entry.entries.values.map(\.bib).sorted() {
            retain(.runner(bib, in: entry.run.id), [])
        }
    }

    /// Changes a run and stores it, so that the broker can be compared with it.
    func change(_ id: Name, _ body: (inout RunRow) -> Void) throws {
        let before = state.runs[id]?.row.status
        state.change(id, body)
        guard let row = state.runs[id]?.row else { return }
        try transaction.update(row)
        if row.status != before { state.toldAt[id] = nil }
        tell(id)
    }

    /// Notifies the participants.
    private func tellParticipants(of entry: State.Entry) throws {
        guard let news = entry.row.news else { return }
        let (id, run) = (entry.run.id, entry.run)
        let notice: Notice.News =
            switch news {
            case .starting: .runStarting(run: id, name: run.name, at: run.startsAt)
            case .changed: .runChanged(run: id, name: run.name)
            case .cancelled: .runCancelled(run: id, name: run.name)
            }
        // An earlier version may have notified some of them.
        let rows = look(through: entry.entries.values).filter { $0.bib > entry.row.toldBib }
        try tell(notice, to: rows, by: memory.people[entry.row.organiser])
        state.change(id) { $0.news = nil }
        if let row = state.runs[id]?.row { try transaction.update(row) }
    }

    private func tell(_ notice: Notice.News, to rows: [RunEntryRow], by organiser: Person?) throws {
        try areas.notices.add(
            notice,
            forAll: rows.sorted { $0.bib < $1.bib }.compactMap { memory.people[$0.user] },
            payer: organiser)
    }

    // MARK: Retained

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(let kind, let names) = topic, let run = names.run else { return nil }
        let state = memory.state(RunsState.self)
        return switch kind {
        case .run: state.runs[run] != nil
        case .standings: state.races[run] != nil
        case .standingsPage:
            state.races[run].map { $0.pages == 0 || names.page ?? 0 <= $0.pages } ?? false
        case .runner:
            state.runs[run]?.row.status == .on
                && names.bib.flatMap { state.races[run]?.takesPart($0) } ?? false
        default: nil
        }
    }

    /// Returns the retained messages; for those unknown after a start, the broker's are kept.
    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        let state = memory.state(RunsState.self)
        var retained: [(topic: Topic, payload: [UInt8])] = []
        for id in (state.organised[person.id] ?? []).sorted() {
            guard let entry = state.runs[id] else { continue }
            retained.append((.run(id), message(entry)))
            if let race = state.races[id], !race.isIncomplete {
                retained += standings(race, entry, memory)
            }
        }
        for id in (state.joined[person.id] ?? []).sorted() {
            guard state.runs[id]?.row.status == .on, let race = state.races[id],
                let participant = race.participants[person.id],
                isHidden(person) || !race.unknown.contains(person.id)
            else { continue }
            let shown = self.state(of: participant, person, in: race.run, isOver: false, at: nil)
            retained.append((.runner(shown.bib, in: id), shown.payload(on: race.run.course)))
        }
        return retained
    }

    // MARK: Retention

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        try transaction.deleteRuns(
            endedBefore: sweep.startedAt - settings.retention.runs, atMost: limit) >= limit
    }

    /// Cancels the person's own runs, and removes every trace of their taking part in others.
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        for id in (state.joined[person.id] ?? []).sorted() { leave(person, id) }
        for id in (state.organised[person.id] ?? []).sorted() {
            guard let entry = state.runs[id] else { continue }
            if entry.row.status != .cancelled { try tellOfEnd(of: entry) }
            if let race = state.races[id] {
                clearRunners(of: entry)
                clearStandings(of: id, through: max(1, race.pages))
            }
            state.remove(id)
            retain(.run(id), [])
        }
    }

    /// Notifies participants of the cancellation; the row is deleted in this turn.
    private func tellOfEnd(of entry: State.Entry) throws {
        count("runs-cancelled")
        guard entry.row.status == .announced else { return }
        try tell(
            .runCancelled(run: entry.run.id, name: entry.run.name),
            to: Array(look(through: entry.entries.values)), by: nil)
    }
}
