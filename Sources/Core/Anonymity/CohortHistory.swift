/// A given answer, with the data that later answers are compared with. It names no one: it stays as
/// it is when a person is erased, and only the link between the person and the number is deleted.
public struct CohortRecord: Hashable, Sendable {
    public let question: CohortQuestion
    /// An opaque key of the requester who asked first, and paid.
    public let requester: String
    public let cost: Epsilon
    public let answer: CohortAnswer
    /// The contributors to each disclosed part.
    public let contributors: [Part: ContributorSet]

    public init(
        _ question: CohortQuestion, by requester: String, cost: Epsilon, answer: CohortAnswer,
        contributors: [Part: ContributorSet]
    ) {
        (self.question, self.requester, self.cost) = (question, requester, cost)
        (self.answer, self.contributors) = (answer, contributors)
    }
}

/// All requesters' answers whose windows overlap those that may still be asked about.
///
/// Every answer must be decided by a history that has all answers before it: the caller decides and
/// stores in one transaction. For one question the records with overlapping windows suffice.
public struct CohortHistory: Sendable {
    public private(set) var records: [CohortRecord]

    public init(_ records: [CohortRecord] = []) { self.records = records }

    public mutating func append(_ record: CohortRecord) { records.append(record) }

    /// Returns the question's earlier answer, which costs nothing. Call this before counting.
    public func answer(to question: CohortQuestion) -> CohortAnswer? {
        records.first { $0.question == question }?.answer
    }

    /// The action to take on a tally.
    public enum Decision: Hashable, Sendable {
        /// Repeat the answer given for the same people in the same window, at no cost.
        case known(CohortAnswer)
        /// Append and store the record before answering.
        case new(CohortRecord)
        case refused(CohortRefusal)
    }

    /// Decides on a tally of the whole cohort. Predictable randomness is not noise: outside of
    /// tests the generator is the system's.
    public func decide(
        _ tally: CohortTally, by requester: String, under policy: CohortPolicy,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        let question = tally.question
        if let decision = decideOnPeople(tally, by: requester, under: policy) { return decision }

        func noisy(_ part: Part, _ counts: [Int]) -> [Int] {
            let noise = part.noise(for: question, costing: policy.cost)
            return counts.map { $0 + noise.sample(using: &generator) }
        }
        var contributors = [Part.people: tally.people]
        var histograms: [Quantity: NoisyHistogram] = [:]
        var presence: [Presence: Int] = [:]
        let people = noisy(.people, [tally.people.count])[0]
        for part in tally.parts(k: policy.k)
        where isHidden(part.part, part.contributors, in: question, policy) {
            contributors[part.part] = part.contributors
            let counts = noisy(part.part, part.counts)
            switch part.part {
            case .people: break
            case .quantity(let quantity):
                histograms[quantity] = NoisyHistogram(quantity.bands, counts: counts)
            case .presence(let place): presence[place] = counts[0]
            }
        }
        return .new(
            CohortRecord(
                question, by: requester, cost: policy.cost,
                answer: CohortAnswer(people: people, histograms: histograms, presence: presence),
                contributors: contributors))
    }

    /// Decides as far as the contributors to the answers as a whole allow: of the records'
    /// contributors only those of ``Part/people`` matter.
    ///
    /// - Returns: nil if there will be an answer.
    public func decideOnPeople(
        _ tally: CohortTally, by requester: String, under policy: CohortPolicy
    ) -> Decision? {
        let question = tally.question
        guard tally.people.count >= policy.k else { return .refused(.tooSmall) }
        if let known = records.first(where: { $0.isAbout(tally) }) { return .known(known.answer) }
        guard isHidden(.people, tally.people, in: question, policy) else {
            return .refused(.tooRevealing)
        }
        return refusal(for: question, by: requester, under: policy).map { .refused($0) }
    }

    /// Returns whether every contributor to a part would have companions in all answers.
    private func isHidden(
        _ part: Part, _ contributors: ContributorSet, in question: CohortQuestion,
        _ policy: CohortPolicy
    ) -> Bool {
        guard policy.comparesAnswers else { return true }
        var companions = Companions()
        let earlier = records.filter { $0.question.window.overlaps(question.window) }
        return (earlier.compactMap { $0.contributors[part] } + [contributors])
            .allSatisfy { companions.divide(by: $0, k: policy.k) }
    }

    /// Returns why a new answer would cost too much, whatever people it is about; nil if it would
    /// not.
    private func refusal(
        for question: CohortQuestion, by requester: String, under policy: CohortPolicy
    ) -> CohortRefusal? {
        let earlier = records.filter { $0.question.window.overlaps(question.window) }
        let own = earlier.filter { $0.requester == requester }
        guard Self.spent(own, in: question.window) + policy.cost <= policy.requesterBudget else {
            return .requesterBudgetSpent
        }
        guard Self.spent(earlier, in: question.window) + policy.cost <= policy.dataBudget else {
            return .dataBudgetSpent
        }
        return nil
    }

    /// Returns the cost of the records to the hour of the window that cost most. A person's data of
    /// one hour are in no other hour's (parallel composition: McSherry, "Privacy Integrated
    /// Queries", SIGMOD 2009).
    private static func spent(_ records: [CohortRecord], in window: Range<Int>) -> Epsilon {
        let hours = records.map { max($0.question.window.lowerBound, window.lowerBound) }
        return Set(hours).reduce(.zero) { most, hour in
            max(
                most,
                records.reduce(.zero) { sum, record in
                    record.question.window.contains(hour) ? sum + record.cost : sum
                })
        }
    }
}

extension CohortRecord {
    /// Returns whether this record is about the same people and the same window, however described.
    /// Otherwise a requester could ask from 25 to 100, then to 105, …, and average the noise away.
    fileprivate func isAbout(_ tally: CohortTally) -> Bool {
        question.window == tally.question.window && contributors[.people] == tally.people
    }
}
