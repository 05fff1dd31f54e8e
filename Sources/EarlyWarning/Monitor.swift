public import Tracking

/// Watches one person's vital signs: asks whether they are all right, and calls for help.
///
/// A value: time is an argument, and what is to be done is returned.
public struct Monitor: Hashable, Sendable {
    public private(set) var state = State.watching
    private var readings = Readings()
    /// What the person has called fine.
    private var accepted: Accepted?
    private var silence: Silence

    public enum State: Hashable, Sendable {
        case watching
        /// The person has been asked whether they are all right.
        case asked(Question)
        /// Help has been called, and has not said that it comes.
        case inNeed(Alarm)
        /// Somebody helps: nothing is called until the person says so.
        case assisted(since: Timestamp)
    }

    public struct Question: Hashable, Sendable {
        public let askedAt: Timestamp
        public let deadline: Timestamp
        /// Since when readings say that nothing is unusual.
        fileprivate(set) var calmSince: Timestamp?
    }

    /// Why help is called.
    public struct Alarm: Hashable, Sendable {
        public enum Reason: String, Hashable, Sendable {
            case score, extreme, unanswered
        }

        public let at: Timestamp
        public let reason: Reason
        public let score: Score
    }

    private struct Accepted: Hashable, Sendable {
        let total: Int
        let extremes: Set<Score.Extreme>
        let until: Timestamp
    }

    public enum Effect: Hashable, Sendable {
        case ask(Score, until: Timestamp)
        /// What was asked about is over.
        case withdraw
        case call(Alarm)
        /// Nothing has been measured for a while: the person is told, or the groups as well.
        case tellOfSilence(since: Timestamp, groupsToo: Bool)
        case tellOfEndOfSilence
    }

    public init(at now: Timestamp) { silence = Silence(heardAt: now) }

    // MARK: What happens

    /// - Parameters:
    ///   - readings: in any order; what is late is left out.
    ///   - exertion: when the person was exerting themselves, if they are known to have.
    public mutating func receive(
        _ readings: [Reading], exertionAt exertion: Timestamp? = nil, at now: Timestamp,
        _ limits: MonitoringLimits
    ) -> [Effect] {
        if let exertion { self.readings.noteExertion(at: exertion) }
        let fresh = readings.filter { now - $0.takenAt <= limits.backfillAge }
        for reading in fresh.sorted(by: { $0.takenAt < $1.takenAt }) {
            self.readings.take(reading, limits)
        }
        var effects = advance(to: now, limits)
        if !fresh.isEmpty, silence.hear(at: now) { effects.append(.tellOfEndOfSilence) }
        return effects
    }

    /// What is due by the clock.
    public mutating func advance(to now: Timestamp, _ limits: MonitoringLimits) -> [Effect] {
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

    /// The person says that they are all right.
    ///
    /// - Returns: false if nobody has asked.
    public mutating func answerFine(at now: Timestamp, _ limits: MonitoringLimits) -> Bool {
        guard case .asked(let question) = state else { return false }
        let score = readings.score(at: question.askedAt, limits)
        accepted = Accepted(
            total: score.total, extremes: score.extremes, until: now + limits.fineFor)
        state = .watching
        return true
    }

    /// Somebody has said that they help.
    ///
    /// - Returns: false if nobody has been called.
    public mutating func noteAssistance(at now: Timestamp) -> Bool {
        guard case .inNeed = state else { return false }
        state = .assisted(since: now)
        return true
    }

    /// The person wants to be watched again: what was measured before counts no more.
    ///
    /// - Returns: false if nobody has been called.
    public mutating func reactivate(at now: Timestamp) -> Bool {
        switch state {
        case .watching, .asked: return false
        case .inNeed, .assisted:
            self = Monitor(at: now)
            return true
        }
    }

    // MARK: Deciding

    private mutating func watch(at now: Timestamp, _ limits: MonitoringLimits) -> [Effect] {
        if let accepted, now >= accepted.until { self.accepted = nil }
        let score = readings.score(at: now, limits)
        if let alarm = alarm(score, at: now, limits) { return call(alarm) }
        guard isUrgent(score) else { return [] }
        let question = Question(askedAt: now, deadline: now + limits.answerWithin)
        state = .asked(question)
        return [.ask(score, until: question.deadline)]
    }

    private mutating func wait(
        for question: Question, at now: Timestamp, _ limits: MonitoringLimits
    ) -> [Effect] {
        // That nothing is measured any more is no good sign: readings are as fresh as they were.
        let score = readings.score(at: question.askedAt, limits)
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

    private func alarm(_ score: Score, at now: Timestamp, _ limits: MonitoringLimits) -> Alarm? {
        if score.total >= Score.emergency { return Alarm(at: now, reason: .score, score: score) }
        let isConfirmed = new(score).contains {
            $0.callsUnasked && readings.isConfirmed($0, at: now, limits)
        }
        return isConfirmed ? Alarm(at: now, reason: .extreme, score: score) : nil
    }

    private func isUrgent(_ score: Score) -> Bool {
        !new(score).isEmpty || score.total >= max(Score.urgent, (accepted?.total ?? 0) + 1)
    }

    /// The extremes that the person has not called fine.
    private func new(_ score: Score) -> Set<Score.Extreme> {
        score.extremes.subtracting(accepted?.extremes ?? [])
    }

    // MARK: Time

    /// When something is due even if nothing is measured; nil if nothing is.
    public func nextDue(after now: Timestamp, _ limits: MonitoringLimits) -> Timestamp? {
        switch state {
        case .inNeed, .assisted: return nil
        case .watching:
            return [accepted?.until, silence.nextDue(limits)].compactMap(\.self).min()
        case .asked(let question):
            let score = readings.score(at: question.askedAt, limits)
            let confirmations = new(score).filter(\.callsUnasked)
                .map { readings.confirmation(of: $0, limits) }
            let end = question.calmSince.map { $0 + limits.recoverAfter } ?? question.deadline
            return ([end, silence.nextDue(limits)] + confirmations).compactMap(\.self).min()
        }
    }
}
