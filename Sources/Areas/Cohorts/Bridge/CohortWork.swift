package import Anonymity
import Contract
import Sealing
package import Store
package import Tracking

/// Counting that takes too long for a turn: one turn asks for it, it is done on another connection
/// to the database, and later turns get the ``CohortOutcome``s.
package struct CohortWork: Sendable {
    /// When the turn asked for it.
    let askedAt: Timestamp
    let task: Task
    let keys: SealingKeys
    let settings: BridgeSettings.Cohorts

    enum Task: Sendable {
        /// Sums up what came about an hour since the epoch.
        case summarize(hour: Int)
        case answer(CohortQuestion, CohortInquiry)
    }

    /// Does the work.
    ///
    /// - Parameters:
    ///   - store: only read from.
    ///   - random: where noise comes from; whoever could predict it would see through it.
    package func perform(
        on store: Store, using random: inout some RandomNumberGenerator
    ) -> [CohortOutcome] {
        do throws(StoreError) {
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

/// Who has asked a question about a cohort.
struct CohortInquiry: Hashable, Sendable {
    /// Who pays for it.
    let company: UserID
    let asker: Asker

    enum Asker: Hashable, Sendable {
        case request(Requester)
        case subscription(UUIDv7)
    }
}

/// A part of what came of a ``CohortWork``.
package enum CohortOutcome: Sendable {
    /// What came of some people about an hour. Whatever was deleted since the time is not in it.
    case summaries([(user: UserID, summary: HourSummary)], hour: Int, readAfter: Timestamp)
    /// All summaries of the hour have been handed out.
    case complete(hour: Int)
    case decided(CohortDecision, CohortWork)
    /// The database could not be read.
    case failed(CohortWork)
}

extension CohortOutcome {
    /// Whether it tells something.
    package var isAnswer: Bool {
        guard case .decided(let decision, _) = self else { return false }
        if case .refused = decision.decision { return false }
        return true
    }
}

/// What is to be told, if nothing has been told since.
package struct CohortDecision: Sendable {
    let decision: CohortHistory.Decision
    /// The last answer that was considered.
    let basis: Int64
    /// Of a new answer, as they are stored.
    let contributors: [(part: String, numbers: [UInt8])]
}
