import Contract
import Numbers
import Racing
import Store
import Tracking

/// Organisers' management of their runs.
extension Runs {
    func organise(as name: String, _ person: Person) throws {
        try transaction.setOrganiser(
            person.id, name: name, terms: settings.accounts.termsVersion ?? "", at: now)
        noteUsage(.changes, of: person)
    }

    func create(_ details: RunDetails, by person: Person) throws -> [UInt8] {
        let organiser = try transaction.organiser(person.id)
        guard let organiser else {
            throw Problem(.notAnOrganiser, "First accept the terms for organisers (run.organise).")
        }
        guard state.organised[person.id]?.count ?? 0 < BridgeSettings.maximumRuns else {
            let limit = BridgeSettings.maximumRuns
            throw Problem(.tooMany, "You may have at most \(limit) runs that are not over.")
        }
        let run = try details.run(newID(), of: organiser, after: nil, at: now)
        let row = RunRow(run, of: person.id, createdAt: now)
        try transaction.insert(row)
        count("runs")
        noteUsage(.changes, of: person)
        state.set(State.Entry(row: row))
        tell(run.id)
        return try shown(run.id)
    }

    private func shown(_ id: Name) throws -> [UInt8] {
        guard let entry = state.runs[id] else {
            throw StoreError(.decode, reason: "a run that was just stored is missing")
        }
        return RunResult.organised.bytes(of: entry.shown(withCourse: false))
    }

    /// Returns an identifier that is short enough to be read out, in letters and digits that cannot
    /// be confused. Guessing one gains nothing.
    private func newID() throws(Problem) -> Name {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
        while true {
            let text = String((0..<8).map { _ in alphabet[Int(random.next() % 31)] })
            if let name = Name(text), state.runs[name] == nil { return name }
        }
    }

    private func own(_ id: Name, _ person: Person) throws -> State.Entry {
        let entry = try known(id)
        guard entry.row.organiser == person.id else {
            throw Problem(.notAllowed, "Only the run's organiser can do that.")
        }
        return entry
    }

    func edit(_ id: Name, _ details: RunDetails, by person: Person) throws -> [UInt8] {
        let entry = try own(id, person)
        let old = entry.run
        let hasBegun = entry.row.status != .announced
        if entry.row.status == .cancelled { throw Problem(.runCancelled, "It is cancelled.") }
        guard !hasBegun || details.isCorrection else {
            throw Problem(.runStarted, "Only its course can be changed now. It can be ended.")
        }
        let run = try details.run(id, of: old.organiser, after: old, at: now)
        try check(run, after: entry, hasBegun)
        // Participants are notified, and have a day to withdraw; later changes have to stay close
        // to the agreed run.
        let isFree =
            !hasBegun
            && (entry.entries.isEmpty || min(run.startsAt, old.startsAt) >= now + Run.notice)
        if !isFree {
            try checkStays(run, near: entry, hasBegun)
        }
        let matters =
            !hasBegun
            && (run.startsAt != old.startsAt || run.endsAt != old.endsAt || run.place != old.place
                || run.course != old.course || run.ranking != old.ranking)
        try change(id) { row in
            row.run = run
            if isFree { row.agreed = RunRow.Agreed(run) }
            if run.startsAt != old.startsAt { row.isReminded = false }
            if matters { (row.news, row.toldBib) = (.changed, 0) }
        }
        noteUsage(.changes, of: person)
        return try shown(id)
    }

    private func check(_ run: Run, after entry: State.Entry, _ hasBegun: Bool) throws(Problem) {
        if run.endsAt <= now, !hasBegun {
            throw Problem(invalid: [.init(field: "endsAt", reason: "must be in the future")])
        }
        if let maximum = run.maximum, maximum < entry.entries.count {
            throw Problem(invalid: [
                .init(field: "maxParticipants", reason: "is less than the number of participants")
            ])
        }
    }

    /// Checks that no participant is shown at another place or time than they have agreed to,
    /// however often a run is changed.
    private func checkStays(_ run: Run, near entry: State.Entry, _ hasBegun: Bool) throws(Problem) {
        let (old, agreed) = (entry.run, entry.row.agreed)
        for (field, isFar) in [
            ("startsAt", run.startsAt < agreed.startsAt - Run.shift),
            ("endsAt", run.endsAt > agreed.endsAt + Run.shift),
        ] where isFar {
            throw Problem(invalid: [
                .init(
                    field: field,
                    reason: "must stay within two hours of what participants have agreed to")
            ])
        }
        if hasBegun, run.course.laps > old.course.laps {
            throw Problem(invalid: [.init(field: "laps", reason: "must not be more than before")])
        }
        guard run.course.points != old.course.points else { return }
        guard state.correctedAt[run.id].map({ $0 + Runs.betweenCorrections <= now }) ?? true else {
            throw Problem(.tooManyAttempts, "Its course was changed a moment ago.")
        }
        state.correctedAt[run.id] = now
        guard run.course.stays(within: Run.correction, of: agreed.course) else {
            let metres = Int(clamping: Run.correction)
            throw Problem(invalid: [
                .init(
                    field: "course",
                    reason: "must stay within \(metres) m of what participants have agreed to")
            ])
        }
    }

    /// The minimum pause, since comparing two long courses takes a while.
    private static let betweenCorrections = Duration.seconds(5)

    func cancel(_ id: Name, by person: Person) throws {
        let entry = try own(id, person)
        guard entry.row.status != .cancelled else { return }
        guard entry.row.status == .announced, now < entry.run.startsAt else {
            throw Problem(.runStarted, "It has already started.")
        }
        try change(id) { ($0.status, $0.news, $0.toldBib) = (.cancelled, .cancelled, 0) }
        count("runs-cancelled")
    }

    func end(_ id: Name, by person: Person) throws {
        let entry = try own(id, person)
        switch entry.row.status {
        case .over: return
        case .announced, .cancelled:
            throw Problem(.notAllowed, "It has not started. It can be cancelled.")
        case .on: break
        }
        try change(id) { $0.run.endsAt = max(now, $0.run.startsAt) }
        // Immediately, even if the clock was set back to before its start.
        if let ended = state.runs[id] { try advance(ended) }
    }
}
