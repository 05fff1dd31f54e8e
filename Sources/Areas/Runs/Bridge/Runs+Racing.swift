import Contract
import DequeModule
import MQTT
import Racing
import Store
import Tracking

/// The participants' progress, from the start of a run.
extension Runs {
    /// Counts a fix for the runs in which the person takes part. Fixes that arrive during a pause
    /// are never used, so that they are not revealed later either. If a person sends many at a time
    /// from beside a long course, those beyond a turn's share are read from the store later.
    func stored(_ row: FixRow, of person: Person) {
        guard let joined = state.joined[person.id],
            !person.tracker.isPaused(at: row.fix.takenAt)
        else { return }
        let hasRoom = segmentsRead[person.id, default: 0] < Runs.segmentsOfPerson
        for id in joined {
            guard let race = state.races[id] else { continue }
            if hasRoom || !isReadable(race) {
                segmentsRead[person.id, default: 0] += race.receive(
                    row.fix, from: row.device, of: person.id, at: now)
            } else {
                race.putOff(row.fix, of: person.id, at: now)
            }
        }
    }

    /// The approximate number of course segments with which one person's fixes are compared per
    /// turn.
    private static let segmentsOfPerson = 200_000

    func received(_ vitals: VitalSigns, of person: Person, isNew: Bool) {
        guard isNew, let joined = state.joined[person.id], let heartRate = vitals[.heartRate] else {
            return
        }
        for id in joined where state.runs[id]?.entries[person.id]?.showsHeartRate == true {
            state.races[id]?.change(person.id) { $0.heartRate = (heartRate, vitals.takenAt) }
        }
    }

    /// Returns when a running person was last seen to advance; nil if they are not in a run.
    func lastAdvance(of person: Person) -> Timestamp? {
        (state.joined[person.id] ?? []).compactMap { id -> Timestamp? in
            guard state.runs[id]?.row.status == .on,
                let splits = state.races[id]?.participants[person.id]?.best.splits, splits.count > 1
            else { return nil }
            return splits.last?.at
        }.max()
    }

    /// Reads a person's fixes again, because some positions were deleted or are to be hidden.
    func takeAgain(_ person: Person) {
        for id in state.joined[person.id] ?? [] {
            guard let race = state.races[id], isReadable(race) else { continue }
            race.takeAgain(person.id, at: now)
        }
    }

    /// Whether the person is hidden: in need of help, or paused.
    static func isHidden(_ person: Person?) -> Bool {
        guard let person else { return true }
        return person.tracker.pausedUntil != nil || person.tracker.emergency != nil
    }

    // MARK: End of a turn

    func race(_ people: [Person]) throws {
        for person in people {
            for id in state.joined[person.id] ?? [] { noteHidden(person, in: id) }
        }
        guard !state.races.isEmpty else { return }
        // A call for help is sent first.
        if !turn.hasCallForHelp { try readStored() }
        for (id, race) in state.races.sorted(by: { $0.key < $1.key }) {
            guard let entry = state.runs[id] else { continue }
            if entry.row.status == .over { try storeResults(of: race, id) }
            if entry.row.status == .on { tellRunners(of: race, id) }
            tellStandings(of: race, entry)
        }
    }

    private func noteHidden(_ person: Person, in id: Name) {
        guard let race = state.races[id], let participant = race.participants[person.id],
            participant.isHidden != Runs.isHidden(person)
        else { return }
        race.change(person.id) { $0.isHidden.toggle() }
        race.note(person.id)
        if Runs.isHidden(person) { race.hurry() }
        // Immediately.
        guard state.runs[id]?.row.status == .on,
            Runs.isHidden(person) || !race.unknown.contains(person.id)
        else { return }
        tell(participant, person, in: race)
    }

    static func raceDue(_ state: RunsState) -> Timestamp? {
        state.races.values.flatMap { race -> [Timestamp?] in
            let isOver = state.runs[race.run.id]?.row.status == .over
            return [
                race.readingDue,
                race.changed.isEmpty || isOver
                    ? nil : race.toldAt.map { $0 + Runs.pace } ?? Timestamp(milliseconds: 0),
                race.pagesToTell.isEmpty ? nil : pageDue(race) ?? Timestamp(milliseconds: 0),
                !race.pagesToTell.isEmpty || !race.isOrderChanged || race.isIncomplete
                    ? nil : orderDue(race) ?? Timestamp(milliseconds: 0),
                isOver && !race.isIncomplete && !race.unstored.isEmpty
                    ? Timestamp(milliseconds: 0) : nil,
            ]
        }.compactMap { $0 }.min()
    }

    /// The minimum pause between publications of a runner's state.
    static let pace = Duration.seconds(1)
    /// The pause per participant between publications of the standings: it grows with their length.
    private static let paceOfStandings = Duration.milliseconds(5)

    /// Returns nil for immediately.
    private static func orderDue(_ race: Race) -> Timestamp? {
        race.orderToldAt.map { $0 + (race.isUrgent ? pace : interval(race)) }
    }

    private static func interval(_ race: Race) -> Duration {
        max(pace, paceOfStandings * race.participants.count)
    }

    // MARK: Publishing

    static func state(
        of participant: Race.Participant, _ person: Person?, in run: Run, isOver: Bool,
        at now: Timestamp?
    ) -> RunnerState {
        let heartRate = participant.heartRate.flatMap { sample in
            now.flatMap { sample.at + heartRateCounts > $0 ? sample.perMinute : nil }
        }
        return RunnerState(
            bib: participant.entry.bib, name: participant.entry.name,
            runner: isHidden(person) ? nil : participant.best,
            heartRate: participant.entry.showsHeartRate ? heartRate : nil, isOver: isOver,
            clock: run.clock)
    }

    private static let heartRateCounts = Duration.seconds(60)

    private func tellRunners(of race: Race, _ id: Name) {
        guard !race.changed.isEmpty, race.toldAt.map({ now >= $0 + Runs.pace }) ?? true else {
            return
        }
        race.toldAt = now
        for user in race.takeChanged().sorted() {
            guard let participant = race.participants[user], !race.unknown.contains(user)
            else { continue }
            tell(participant, memory.people[user], in: race)
        }
    }

    private func tell(_ participant: Race.Participant, _ person: Person?, in race: Race) {
        let state = Runs.state(of: participant, person, in: race.run, isOver: false, at: now)
        retain(
            .runner(state.bib, in: race.run.id), state.payload(on: race.run.course),
            qos: state.status == .running ? .atMostOnce : .atLeastOnce)
    }

    /// Publishes the pages one by one, so that little is queued at a time for many spectators.
    private func tellStandings(of race: Race, _ entry: State.Entry) {
        if race.pagesToTell.isEmpty {
            guard race.isOrderChanged, !race.isIncomplete,
                Runs.orderDue(race).map({ now >= $0 }) ?? true
            else { return }
            let told = race.pages
            race.pagesToTell = Deque(Runs.standings(race, entry, memory))
            clearStandings(of: entry.run.id, race.pages + 1, through: told)
            let apart = Runs.interval(race) / max(1, race.pages)
            race.pagesApart = race.isUrgent ? min(Runs.pace, apart) : apart
            (race.orderToldAt, race.pageToldAt) = (now, nil)
            (race.isOrderChanged, race.isUrgent) = (false, false)
        }
        guard Runs.pageDue(race).map({ now >= $0 }) ?? true, let page = race.pagesToTell.popFirst()
        else { return }
        race.pageToldAt = now
        retain(page.topic, page.payload)
    }

    /// Returns nil for immediately.
    private static func pageDue(_ race: Race) -> Timestamp? {
        race.pageToldAt.map { $0 + race.pagesApart }
    }

    func clearStandings(of id: Name, _ first: Int = 1, through last: Int) {
        for page in first..<max(first, last + 1) { retain(.standings(id, page: page), []) }
    }

    static func standings(_ race: Race, _ entry: State.Entry, _ memory: Memory)
        -> [(topic: Topic, payload: [UInt8])]
    {
        let isOver = entry.row.status == .over
        let pages = RunnerState.standings(
            race.participants.map { user, participant in
                state(of: participant, memory.people[user], in: race.run, isOver: isOver, at: nil)
            }, by: race.run.clock)
        race.pages = pages.count
        return pages.enumerated().map { (.standings(entry.run.id, page: $0 + 1), $1) }
    }
}
