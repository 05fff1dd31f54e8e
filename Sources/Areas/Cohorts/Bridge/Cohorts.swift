import Anonymity
import Contract
import Sealing
import Store
import Tracking

/// Questions about many people: the people counted, hour by hour, and the answers to third parties
/// (`Anonymity`).
final class Cohorts: AreaHandler {
    typealias State = CohortsState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: CohortCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .query(let filter, let window):
            return try query(filter, in: window, by: person, asker)
        case .subscribe(let filter): return try subscribe(to: filter, by: person)
        case .unsubscribe(let id): try unsubscribe(from: id, by: person)
        case .subscriptions: return list(of: person)
        }
        return Array("{}".utf8)
    }

    static let counters = [
        "cohort-answers", "cohort-refusals", "cohort-refusals-locked", "cohort-hours",
    ]

    // MARK: Hours

    /// The pause after a failure.
    private static let pause = Duration.seconds(60)

    static func hour(of time: Timestamp) -> Int { Int(time.milliseconds / 3_600_000) }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(VitalsState.self).consents.isEmpty
            ? nil : memory.state(CohortsState.self).nextLook
    }

    func finish(_ people: [Person]) throws {
        guard let look = state.nextLook, look <= now, !areas.vitals.state.consents.isEmpty else {
            return
        }
        guard let keys = settings.sealingKeys else { return state.nextLook = now + Cohorts.pause }
        state.nextLook = nil
        if state.completeHour == nil { try begin() }
        try beginAgainIfAhead()
        // Older data is deleted.
        let complete = max(state.completeHour ?? 0, Cohorts.hour(of: now - oldest))
        if !state.isSummarizing {
            let end = Timestamp(milliseconds: Int64(complete + 2) * 3_600_000)
            state.nextLook = end + settings.cohorts.settling
            if let due = state.nextLook, due <= now {
                (state.nextLook, state.isSummarizing) = (nil, true)
                ask(.summarize(hour: complete + 1), keys)
            }
        }
        for subscription in state.takeQuestions() { try ask(subscription, keys) }
    }

    /// Starts counting, from the first stored data if there is any.
    private func begin() throws {
        let first = try transaction.firstArrival(of: .vitals) ?? now
        let hour = Cohorts.hour(of: min(first, now)) - 1
        try transaction.setCompleteHour(hour)
        state.completeHour = hour
    }

    /// Starts again if a wrong clock has completed hours in the future.
    private func beginAgainIfAhead() throws {
        let hour = Cohorts.hour(of: now)
        guard let complete = state.completeHour, complete > hour else { return }
        try transaction.setCompleteHour(hour - 1)
        state.completeHour = hour - 1
    }

    func rescheduleAll() { state.look() }

    func ask(_ task: CohortWork.Task, _ keys: SealingKeys) {
        turn.work.append(
            CohortWork(askedAt: now, task: task, keys: keys, settings: settings.cohorts))
    }

    // MARK: Outcomes

    func take(_ outcome: any WorkOutcome) throws -> Bool {
        guard let outcome = outcome as? CohortOutcome else { return false }
        switch outcome {
        case .summaries(let summaries, let hour, let readAfter):
            for (user, summary) in summaries {
                try store(summary, of: user, hour: hour, readAfter: readAfter)
            }
        case .complete(let hour):
            state.isSummarizing = false
            state.look()
            guard hour > state.completeHour ?? 0 else { break }
            try transaction.setCompleteHour(hour)
            state.completeHour = hour
            count("cohort-hours")
        case .decided(let decision, let work):
            try take(decision, of: work)
        case .failed(let work):
            try takeFailure(of: work)
            state.nextLook = now + Cohorts.pause
        }
        return true
    }

    private func takeFailure(of work: CohortWork) throws {
        switch work.task {
        case .summarize: state.isSummarizing = false
        case .answer(let question, let inquiry):
            if case .subscription(let id) = inquiry.asker {
                // Ask again at the next look.
                state.subscriptions[id].map { state.set($0) }
            } else {
                let problem = Problem(
                    .tooManyAttempts, "This cannot be counted at the moment. Try again later.")
                try tell(.failure(problem), question, inquiry)
            }
        }
    }

    private func store(
        _ summary: HourSummary, of user: UserID, hour: Int, readAfter: Timestamp
    ) throws {
        guard memory.people[user] != nil, areas.vitals.state.consents[user] != nil,
            let keys = settings.sealingKeys
        else { return }
        if let deletedAt = try transaction.joinCohorts(user), deletedAt >= readAfter { return }
        let day = hour / DaySummary.hours
        let stored = try transaction.cohortDays(of: user, in: day..<day + 1).first
        var summaries = stored?.opened(with: keys) ?? DaySummary()
        summaries[hour % DaySummary.hours] = summary
        try save(summaries, of: user, day, keys)
    }

    private func save(_ summaries: DaySummary, of user: UserID, _ day: Int, _ keys: SealingKeys)
        throws
    {
        let vitals = summaries.vitals.map {
            keys.seal($0, as: CohortDayRow.context(user, day), using: &random)
        }
        try transaction.save(
            CohortDayRow(user: user, day: day, vitals: vitals, positions: summaries.positions))
    }

    // MARK: Deleting

    /// Removes a person's days from the counts.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    func leave(_ person: Person, _ data: SharedData, from: Timestamp?, to: Timestamp?) throws {
        let days = Cohorts.days(from: from, to: to)
        try transaction.leaveCohorts(person.id, data, days: days, at: now)
    }

    func vitalsDeleted(of person: Person, from: Timestamp?, to: Timestamp?) throws {
        try leave(person, .vitals, from: from, to: to)
    }

    func vitalsEnded(of person: Person, hadConsented: Bool) throws {
        try leave(person, .all, from: nil, to: nil)
    }

    /// Returns the days that overlap the period.
    private static func days(from: Timestamp?, to: Timestamp?) -> ClosedRange<Int> {
        let first = from.map { hour(of: $0) / DaySummary.hours } ?? 0
        let last = to.map { hour(of: $0) / DaySummary.hours } ?? lastDay
        return first...max(first, last)
    }

    private static let lastDay = 1 << 32

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        for subscription in state.subscriptions.values where subscription.service == person.id {
            state.remove(subscription.id)
        }
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        func day(_ kept: Duration) -> Int {
            Cohorts.hour(of: sweep.startedAt - kept) / DaySummary.hours
        }
        let hasDays = try transaction.deleteCohortDays(
            vitalsBefore: day(settings.retention.vitals),
            positionsBefore: day(settings.limits.retention), atMost: limit)
        let hasAnswers = try transaction.deleteCohortAnswers(
            endedBy: Cohorts.hour(of: sweep.startedAt - oldest), atMost: limit)
        let hasRefusals = try transaction.deleteCohortRefusals(
            before: sweep.startedAt - Cohorts.refusalPeriod, atMost: limit)
        let hasUnsealed = try sealAnew(atMost: limit)
        return hasDays || hasAnswers || hasRefusals || hasUnsealed
    }

    /// The age of the oldest hour that can be queried.
    var oldest: Duration { max(settings.retention.vitals, settings.limits.retention) }

    /// Encrypts some days again with the newest key that are encrypted with an older one.
    ///
    /// - Returns: whether there may be more.
    private func sealAnew(atMost limit: Int) throws -> Bool {
        guard let keys = settings.sealingKeys else { return false }
        let rows = try transaction.cohortDays(
            sealedBefore: keys.newest, after: state.sealedThrough, limit: limit)
        for row in rows {
            state.sealedThrough = (row.user, row.day)
            let context = CohortDayRow.context(row.user, row.day)
            // A row that no key opens is left unchanged: its key may be restored.
            guard let content = row.vitals.flatMap({ keys.open($0, as: context) }) else {
                continue
            }
            try transaction.save(
                CohortDayRow(
                    user: row.user, day: row.day,
                    vitals: keys.seal(content, as: context, using: &random),
                    positions: row.positions))
        }
        if rows.count < limit { state.sealedThrough = (UserID(rawValue: 0), 0) }
        return rows.count == limit
    }
}
