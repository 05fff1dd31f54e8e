import Anonymity
import Contract
import Sealing
import Store
import Tracking

/// Counting a cohort, and checking its answer against earlier ones.
extension CohortWork {
    func decide(
        _ question: CohortQuestion, _ inquiry: CohortInquiry, _ store: Store,
        using random: inout some RandomNumberGenerator
    ) throws -> CohortDecision {
        let requester = "\(inquiry.company.rawValue)"
        let (answers, basis) = try store.transaction { transaction in
            (
                try transaction.cohortAnswers(overlapping: question.window),
                try transaction.lastCohortAnswer()
            )
        }
        func decided(_ decision: CohortHistory.Decision) -> CohortDecision {
            var contributors: [(part: String, numbers: [UInt8])] = []
            if case .new(let record) = decision {
                contributors = record.contributors.map { ($0.key.description, $0.value.bytes) }
                contributors.sort { $0.part < $1.part }
            }
            return CohortDecision(
                decision: decision, basis: basis, contributors: contributors)
        }
        guard answers.count <= Self.mostCompared else { return decided(.refused(.dataBudgetSpent)) }
        let tally = try tally(question, store)
        // Cells are not compared for an answer that covers too many of the same people.
        let people = try history(of: answers, "\(Part.people)", store)
        if let early = people.decideOnPeople(tally, by: requester, under: settings.policy) {
            return decided(early)
        }
        return decided(
            try history(of: answers, nil, store).decide(
                tally, by: requester, under: settings.policy, using: &random))
    }

    /// The maximum number of answers about some of the same hours; beyond it, further ones are
    /// refused.
    private static let mostCompared = 1_000

    /// - Parameter part: the part whose contributors are needed; nil for all.
    private func history(of answers: [CohortAnswerRow], _ part: String?, _ store: Store)
        throws -> CohortHistory
    {
        var history = CohortHistory()
        for answer in answers {
            let contributors = try store.transaction { transaction in
                try transaction.cohortContributors(of: answer.id, part: part)
            }
            history.append(try record(answer, contributors))
        }
        return history
    }

    private func record(
        _ row: CohortAnswerRow, _ contributors: [(part: String, numbers: [UInt8])]
    ) throws -> CohortRecord {
        let damaged = StoreError(.decode, reason: "an answer about a cohort is damaged")
        guard let filter = CohortFilter(stored: row.filter),
            let answer = CohortAnswer(stored: row.answer)
        else { throw damaged }
        var sets: [Part: ContributorSet] = [:]
        for (text, numbers) in contributors {
            guard let part = Part(text), let set = ContributorSet(bytes: numbers) else {
                throw damaged
            }
            sets[part] = set
        }
        return CohortRecord(
            CohortQuestion(filter, in: row.window),
            by: row.requester.map { "\($0.rawValue)" } ?? "",
            cost: Epsilon(thousandths: row.cost), answer: answer, contributors: sets)
    }

    // MARK: Counting

    private func tally(_ question: CohortQuestion, _ store: Store) throws -> CohortTally {
        var tally = CohortTally(of: question)
        let end = Timestamp(milliseconds: Int64(question.window.upperBound) * 3_600_000)
        var last = UserID(rawValue: 0)
        while true {
            let members = try store.transaction { transaction in
                let members = try transaction.cohortMembers(
                    after: last, limit: Self.membersAtATime)
                for member in members
                where question.filter.includes(profile(of: member), at: end) {
                    try add(member, to: &tally, transaction)
                }
                return members
            }
            guard let member = members.last else { return tally }
            last = member.user
        }
    }

    private static let membersAtATime = 200

    private func profile(of member: CohortMember) -> HealthProfile {
        member.profile.flatMap {
            keys.open($0, as: Transaction.profileContext(member.user))
        }.flatMap { HealthProfile($0) } ?? HealthProfile()
    }

    private func add(
        _ member: CohortMember, to tally: inout CohortTally, _ transaction: Transaction
    ) throws {
        let window = tally.question.window
        let days =
            window.lowerBound / DaySummary.hours..<(window.upperBound - 1) / DaySummary.hours + 1
        var contribution = Contribution()
        for row in try transaction.cohortDays(of: member.user, in: days) {
            guard let summary = row.opened(with: keys) else { continue }
            contribution.add(summary, of: row.day, in: window)
        }
        tally.add(contribution, of: member.number)
    }
}

extension CohortDayRow {
    /// - Returns: nil if the row is damaged; without vital signs if no key opens them.
    func opened(with keys: SealingKeys) -> DaySummary? {
        let vitals = vitals.flatMap { keys.open($0, as: CohortDayRow.context(user, day)) }
        return DaySummary(vitals: vitals, positions: positions)
    }
}

extension CohortFilter {
    fileprivate func includes(_ profile: HealthProfile, at time: Timestamp) -> Bool {
        includes(
            age: profile.dateOfBirth?.age(at: time), gender: profile.gender?.rawValue,
            residence: profile.residence.map { HealthProfile.normalized(residence: $0) })
    }
}
