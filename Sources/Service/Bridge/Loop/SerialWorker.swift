import DequeModule
import Foundation
import Glibc
import MQTT
import Synchronization

/// Does work on its own thread, one item after the other, and wakes the loop when there is an
/// outcome.
final class SerialWorker<Work: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var waiting: Deque<Work> = []
        var done: Deque<Outcome> = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let name: String
    private let givesWay: Bool
    private let waker: Waker
    private let perform: @Sendable (Work) -> [Outcome]

    /// - Parameters:
    ///   - name: the thread's name.
    ///   - givesWay: whether all other threads run first.
    init(
        _ name: String, givesWay: Bool = false, waker: Waker,
        perform: @escaping @Sendable (Work) -> [Outcome]
    ) {
        (self.name, self.givesWay, self.waker) = (name, givesWay, waker)
        self.perform = perform
    }

    func submit(_ work: [Work]) {
        guard !work.isEmpty else { return }
        let mustStart = state.withLock { state in
            state.waiting.append(contentsOf: work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Returns pending outcomes, in order; if more are left, the loop is woken again.
    func takeOutcomes(atMost limit: Int = .max) -> [Outcome] {
        let (taken, isMore) = state.withLock { state in
            let taken = Array(state.done.prefix(limit))
            state.done.removeFirst(taken.count)
            return (taken, !state.done.isEmpty)
        }
        if isMore { waker.wake() }
        return taken
    }

    /// Starts the thread, which ends when no work is left.
    private func start() {
        let thread = Thread {
            // On Linux each thread has its own priority; without the right to change it, it stays.
            if self.givesWay {
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            }
            while let work = self.next() {
                let outcomes = self.perform(work)
                self.state.withLock { $0.done.append(contentsOf: outcomes) }
                self.waker.wake()
            }
        }
        thread.name = name
        thread.start()
    }

    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil { state.isRunning = false }
            return work
        }
    }
}
