public import Tracking

/// Watches one person's vital signs: asks whether they are all right, and calls for help.
///
/// A value: time is an argument, and the actions to take are returned.
public struct Monitor: Hashable, Sendable {
    public private(set) var state = State.watching
    package private(set) var readings = Readings()
    /// The score that the person has called fine.
    package private(set) var accepted: Accepted?
    package private(set) var silence: Silence
    /// The time since when the score has been high enough to call.
    package private(set) var pressingSince: Timestamp?

    public enum State: Hashable, Sendable {
        case watching
        /// The person has been asked whether they are all right.
        case asked(Question)
        /// Help has been called, and has not confirmed that it is coming.
        case inNeed(Alarm)
        /// A helper has confirmed: no call is made until the person reactivates monitoring.
        case assisted(since: Timestamp)
    }

    public struct Question: Hashable, Sendable {
        public let askedAt: Timestamp
        public let deadline: Timestamp
        /// The time at which readings had to be fresh to count: a lack of new readings is not a
        /// recovery.
        package let judgedAt: Timestamp
        /// The time since when readings have shown nothing unusual.
        package fileprivate(set) var calmSince: Timestamp?

        package init(
            askedAt: Timestamp, deadline: Timestamp, judgedAt: Timestamp? = nil,
            calmSince: Timestamp? = nil
        ) {
            (self.askedAt, self.deadline, self.calmSince) = (askedAt, deadline, calmSince)
            self.judgedAt = judgedAt ?? askedAt
        }
    }

    /// Why help is called.
    public struct Alarm: Hashable, Sendable {
        public enum Reason: String, Hashable, Sendable, CaseIterable {
            case score, extreme, unanswered
        }

        public let at: Timestamp
        public let reason: Reason
        public let score: Score

        package init(at: Timestamp, reason: Reason, score: Score) {
            (self.at, self.reason, self.score) = (at, reason, score)
        }
    }

    package struct Accepted: Hashable, Sendable {
        package let total: Int
        package let extremes: Set<Score.Extreme>
        package let until: Timestamp
        /// Parameters that were higher than any effort makes them. A lower value that was called
        /// fine does not cover these.
        package let beyond: Set<Parameter>

        package init(
            total: Int, extremes: Set<Score.Extreme>, until: Timestamp, beyond: Set<Parameter> = []
        ) {
            (self.total, self.extremes, self.until) = (total, extremes, until)
            self.beyond = beyond
        }

        init(_ score: Score, beyond: Set<Parameter>, until: Timestamp) {
            self.init(total: score.total, extremes: score.extremes, until: until, beyond: beyond)
        }
    }

    public enum Effect: Hashable, Sendable {
        case ask(Score, until: Timestamp)
        /// The reason for the question is over.
        case withdraw
        case call(Alarm)
        /// Nothing has been measured for a while: the person is notified, and the groups if
        /// `groupsToo`.
        case tellOfSilence(since: Timestamp, groupsToo: Bool)
        case tellOfEndOfSilence(groupsToo: Bool)
    }

    public init(at now: Timestamp) { silence = Silence(heardAt: now) }

    /// Restores a stored monitor.
    package init(
        state: State, readings: Readings, accepted: Accepted?, silence: Silence,
        pressingSince: Timestamp? = nil
    ) {
        (self.state, self.readings) = (state, readings)
        (self.accepted, self.silence, self.pressingSince) = (accepted, silence, pressingSince)
    }

    /// Returns the vital signs that were not measured lately.
    public func missing(at now: Timestamp, _ limits: MonitoringLimits) -> [Parameter] {
        score(at: now, limits).missing
    }

    public func score(at now: Timestamp, _ limits: MonitoringLimits) -> Score {
        readings.score(at: now, limits)
    }

    // MARK: Events

    /// - Parameters:
    ///   - readings: in any order; late ones are ignored.
    ///   - exertion: when the person was exerting themselves, if known.
    public mutating func receive(
        _ readings: [Reading], exertionAt exertion: Timestamp? = nil, at now: Timestamp,
        _ limits: MonitoringLimits
    ) -> [Effect] {
        bound(by: now, limits)
        if let exertion { self.readings.noteExertion(at: min(exertion, now)) }
        let fresh = readings.filter { now - $0.takenAt <= limits.backfillAge }
        for reading in fresh.sorted(by: { $0.takenAt < $1.takenAt }) {
            // A clock that is ahead does not outrank correct ones.
            let takenAt = min(reading.takenAt, now)
            self.readings.take(Reading(reading.parameter, reading.value, at: takenAt), limits)
        }
        // Before advancing, since a reading that arrives ends the silence.
        let ended = fresh.isEmpty ? nil : silence.hear(at: now)
        let effects = advance(to: now, limits)
        return effects + (ended.map { [.tellOfEndOfSilence(groupsToo: $0)] } ?? [])
    }

    /// Records that the person is exerting themselves, as reported by something other than vital
    /// signs.
    public mutating func noteExertion(at time: Timestamp) { readings.noteExertion(at: time) }

    /// Returns the effects that are due by the clock.
    public mutating func advance(to now: Timestamp, _ limits: MonitoringLimits) -> [Effect] {
        bound(by: now, limits)
        var effects: [Effect] = []
        switch state {
        case .watching: effects = watch(at: now, limits)
        case .asked(let question): effects = wait(for: question, at: now, limits)
        case .inNeed, .assisted: return []
        }
        if let groupsToo = silence.isDue(at: now, limits) {
            effects.append(.tellOfSilence(since: silence.heardAt, groupsToo: groupsToo))
        }
        return effects
    }

    /// Handles the person's answer that they are all right.
    ///
    /// - Returns: false if no question is pending.
    public mutating func answerFine(at now: Timestamp, _ limits: MonitoringLimits) -> Bool {
        guard case .asked(let question) = state else { return false }
        let score = readings.score(at: question.judgedAt, limits)
        accepted = Accepted(
            score, beyond: readings.beyondExertion, until: now + limits.fineFor)
        (state, pressingSince) = (.watching, nil)
        silence.passSuspicion(at: now, limits)
        return true
    }

    /// Handles a helper's confirmation.
    ///
    /// - Returns: false if no call is in progress.
    public mutating func noteAssistance(at now: Timestamp) -> Bool {
        guard case .inNeed = state else { return false }
        state = .assisted(since: now)
        return true
    }

    /// Resumes monitoring at the person's request: earlier readings no longer count. If no helper
    /// has confirmed yet, the request also means that the person is fine.
    ///
    /// - Returns: false if no call is in progress.
    public mutating func reactivate(at now: Timestamp, _ limits: MonitoringLimits) -> Bool {
        switch state {
        case .watching, .asked: return false
        case .inNeed(let alarm):
            let beyond = readings.beyondExertion
            self = Monitor(at: now)
            accepted = Accepted(alarm.score, beyond: beyond, until: now + limits.fineFor)
        case .assisted: self = Monitor(at: now)
        }
        return true
    }

    // MARK: Deciding

    private mutating func watch(at now: Timestamp, _ limits: MonitoringLimits) -> [Effect] {
        if let accepted, now >= accepted.until { self.accepted = nil }
        let score = readings.score(at: now, limits)
        if let alarm = alarm(score, at: now, limits) { return call(alarm) }
        guard !isUrgent(score) else { return ask(about: score, judgedAt: now, at: now, limits) }
        let isSuspicious = silence.isSuspicious(at: now, limits)
        silence.passSuspicion(at: now, limits)
        guard isSuspicious else { return [] }
        // Regardless of what the person has called fine.
        let last = readings.score(at: silence.heardAt, limits)
        guard last.isUrgent else { return [] }
        accepted = nil
        _ = alarm(last, at: now, limits)
        return ask(about: last, judgedAt: silence.heardAt, at: now, limits)
    }

    private mutating func ask(
        about score: Score, judgedAt: Timestamp, at now: Timestamp, _ limits: MonitoringLimits
    ) -> [Effect] {
        let question = Question(
            askedAt: now, deadline: now + limits.answerWithin, judgedAt: judgedAt)
        state = .asked(question)
        return [.ask(score, until: question.deadline)]
    }

    private mutating func wait(
        for question: Question, at now: Timestamp, _ limits: MonitoringLimits
    ) -> [Effect] {
        let score = readings.score(at: question.judgedAt, limits)
        if let alarm = alarm(score, at: now, limits) { return call(alarm) }
        var question = question
        if isUrgent(score) {
            question.calmSince = nil
            state = .asked(question)
            guard now >= question.deadline else { return [] }
            return call(Alarm(at: now, reason: .unanswered, score: score))
        }
        let calmSince = question.calmSince ?? now
        guard now < calmSince + limits.recoverAfter else {
            state = .watching
            silence.passSuspicion(at: now, limits)
            return [.withdraw]
        }
        question.calmSince = calmSince
        state = .asked(question)
        return []
    }

    private mutating func call(_ alarm: Alarm) -> [Effect] {
        state = .inNeed(alarm)
        return [.call(alarm)]
    }

    private mutating func alarm(_ score: Score, at now: Timestamp, _ limits: MonitoringLimits)
        -> Alarm?
    {
        let isPressing = score.total >= max(Score.emergency, (accepted?.total ?? 0) + 1)
        pressingSince = isPressing ? pressingSince ?? now : nil
        if let pressingSince, now >= pressingSince + limits.scoreFor {
            return Alarm(at: now, reason: .score, score: score)
        }
        let isConfirmed = new(score).contains {
            $0.callsUnasked && readings.isConfirmed($0, at: now, limits)
        }
        return isConfirmed ? Alarm(at: now, reason: .extreme, score: score) : nil
    }

    private func isUrgent(_ score: Score) -> Bool {
        !new(score).isEmpty || score.total >= max(Score.urgent, (accepted?.total ?? 0) + 1)
    }

    /// Returns the extremes that the person has not called fine.
    private func new(_ score: Score) -> Set<Score.Extreme> {
        guard let accepted else { return score.extremes }
        let worse = readings.beyondExertion.subtracting(accepted.beyond)
        return score.extremes.filter {
            !accepted.extremes.contains($0) || worse.contains($0.parameter)
        }
    }

    // MARK: Time

    /// Handles a clock that may have been set back: nothing waits for a time that was near before.
    private mutating func bound(by now: Timestamp, _ limits: MonitoringLimits) {
        readings.bound(by: now)
        silence.bound(by: now)
        pressingSince = pressingSince.map { min($0, now) }
        if let known = accepted, known.until > now + limits.fineFor {
            accepted = Accepted(
                total: known.total, extremes: known.extremes, until: now + limits.fineFor,
                beyond: known.beyond)
        }
        guard case .asked(let known) = state, known.askedAt > now else { return }
        let calmSince = known.calmSince.map { min($0, now) }
        state = .asked(
            Question(
                askedAt: now, deadline: min(known.deadline, now + limits.answerWithin),
                judgedAt: min(known.judgedAt, now), calmSince: calmSince))
    }

    /// Returns when something is due even if nothing is measured; nil if nothing is.
    public func nextDue(after now: Timestamp, _ limits: MonitoringLimits) -> Timestamp? {
        switch state {
        case .inNeed, .assisted: return nil
        case .watching:
            return [accepted?.until, silence.nextDue(limits), silence.nextSuspicion(limits)]
                .compactMap(\.self).min()
        case .asked(let question):
            let score = readings.score(at: question.judgedAt, limits)
            let confirmations = new(score).filter(\.callsUnasked)
                .map { readings.confirmation(of: $0, limits) }
            let end = question.calmSince.map { $0 + limits.recoverAfter } ?? question.deadline
            let pressing = pressingSince.map { $0 + limits.scoreFor }
            return ([end, pressing, silence.nextDue(limits)] + confirmations)
                .compactMap(\.self).min()
        }
    }
}
