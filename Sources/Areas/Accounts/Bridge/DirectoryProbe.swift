import Directory
import Synchronization

/// Checks every minute whether the directory answers: the operator is notified of an outage before
/// anyone logs in.
final class DirectoryProbe: Sendable {
    struct Answer: WorkOutcome {
        static let kind: WorkKind? = nil

        /// Nil if the directory answers.
        let trouble: DirectoryError?
    }

    private let worker = SerialWorker<DirectoryProbe>("directory probe", givesWay: true) {
        $0.perform()
    }
    private let state = Mutex((askedAt: ContinuousClock.Instant?.none, isAsked: false))
    private let outcomes: Outcomes
    private let ask: @Sendable () throws(DirectoryError) -> Void

    static let pause = Duration.seconds(60)

    init(_ outcomes: Outcomes, ask: @escaping @Sendable () throws(DirectoryError) -> Void) {
        (self.outcomes, self.ask) = (outcomes, ask)
    }

    /// Probes the directory if it is time and the last probe is finished.
    func ask(at now: ContinuousClock.Instant) {
        let isDue = state.withLock { state in
            let isTime = state.askedAt.map { now - $0 >= DirectoryProbe.pause } ?? true
            guard !state.isAsked, isTime else { return false }
            state = (now, true)
            return true
        }
        if isDue { worker.submit([self]) }
    }

    private func perform() {
        var trouble: DirectoryError?
        do throws(DirectoryError) { try ask() } catch { trouble = error }
        state.withLock { $0.isAsked = false }
        outcomes.add([Answer(trouble: trouble)])
    }
}
