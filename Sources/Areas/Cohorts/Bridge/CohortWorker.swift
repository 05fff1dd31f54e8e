import DequeModule
import Foundation
import Glibc
import MQTT
import Store
import Synchronization

/// Does ``CohortWork`` on a thread and a connection of its own, one item after the other, and wakes
/// the loop when there is an outcome.
final class CohortWorker: Sendable {
    private struct State {
        var waiting: Deque<CohortWork> = []
        var done: Deque<CohortOutcome> = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let database: String
    private let waker: Waker

    init(database: String, waker: Waker) { (self.database, self.waker) = (database, waker) }

    func submit(_ work: [CohortWork]) {
        guard !work.isEmpty else { return }
        let mustStart = state.withLock { state in
            state.waiting.append(contentsOf: work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Returns the next outcome: each turn takes one, since many follow one another.
    func takeOutcomes() -> [CohortOutcome] {
        let (next, isMore) = state.withLock { state in
            (state.done.popFirst(), !state.done.isEmpty)
        }
        if isMore { waker.wake() }
        return next.map { [$0] } ?? []
    }

    /// Starts the thread, which ends when no work is left.
    private func start() {
        let thread = Thread {
            // Nobody waits for a question as for an alert. On Linux a thread has a priority of its
            // own; without the right to change it, it stays.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            var random = SystemRandomNumberGenerator()
            while let work = self.next() {
                let outcomes = self.perform(work, using: &random)
                self.state.withLock { $0.done.append(contentsOf: outcomes) }
                self.waker.wake()
            }
        }
        thread.name = "cohorts"
        thread.start()
    }

    /// The database is opened for each item: nothing holds it open, and none is read that was
    /// replaced.
    private func perform(
        _ work: CohortWork, using random: inout some RandomNumberGenerator
    ) -> [CohortOutcome] {
        do throws(StoreError) {
            return work.perform(on: try Store.openReadOnly(database), using: &random)
        } catch {
            return [.failed(work)]
        }
    }

    private func next() -> CohortWork? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil { state.isRunning = false }
            return work
        }
    }
}
