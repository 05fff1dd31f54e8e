package import Anonymity
import Contract
import Sealing
package import Store
package import Tracking

/// Counting that takes too long for a turn: one turn requests it, it is done on another connection
/// to the database, and later turns receive the ``CohortOutcome``s.
package struct CohortWork: Work {
    /// The time of the requesting turn.
    let askedAt: Timestamp
    let task: Task
    let keys: SealingKeys
    let settings: BridgeSettings.Cohorts

    enum Task: Sendable {
        /// Summarizes the data of an hour since the epoch.
        case summarize(hour: Int)
        case answer(CohortQuestion, CohortInquiry)
    }

    /// Does the work.
    ///
    /// - Parameters:
    ///   - store: only read from.
    ///   - random: the source of noise, which must be unpredictable: otherwise the noise could be
    ///     subtracted.
    package func perform(
        on store: Store, using random: inout some RandomNumberGenerator
    ) -> [CohortOutcome] {
        do {
            switch task {
            case .summarize(let hour): return try summarize(hour, store)
            case .answer(let question, let inquiry):
                return [.decided(try decide(question, inquiry, store, using: &random), self)]
            }
        } catch {
            return [.failed(self)]
        }
    }
}

/// The origin of a question about a cohort.
struct CohortInquiry: Hashable, Sendable {
    /// The company whose privacy budget pays for it.
    let company: UserID
    let asker: Asker

    enum Asker: Hashable, Sendable {
        case request(Requester)
        case subscription(UUIDv7)
    }
}

/// A part of the result of a ``CohortWork``.
package enum CohortOutcome: WorkOutcome {
    package static let kind: WorkKind? = .cohorts

    /// The summaries of some people for an hour; without data deleted before `readAfter`.
    case summaries([(user: UserID, summary: HourSummary)], hour: Int, readAfter: Timestamp)
    /// All summaries of the hour have been delivered.
    case complete(hour: Int)
    case decided(CohortDecision, CohortWork)
    /// The database could not be read.
    case failed(CohortWork)
}

extension CohortOutcome {
    /// Whether it is an answer rather than a refusal.
    package var isAnswer: Bool {
        guard case .decided(let decision, _) = self else { return false }
        if case .refused = decision.decision { return false }
        return true
    }
}

/// The decision about an answer, valid if no other answer has been given since.
package struct CohortDecision: Sendable {
    let decision: CohortHistory.Decision
    /// The last answer that it takes into account.
    let basis: Int64
    /// A new answer's contributors, in stored form.
    let contributors: [(part: String, numbers: [UInt8])]
}
