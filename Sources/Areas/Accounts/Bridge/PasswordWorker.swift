import DequeModule
import Foundation
import MQTT
import Synchronization

/// Does ``PasswordWork`` on a thread of its own, one item after the other, and wakes the loop when
/// there is an outcome.
final class PasswordWorker: Sendable {
    private struct State {
        var waiting: Deque<PasswordWork> = []
        var done: [PasswordOutcome] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let waker: Waker

    init(waker: Waker) { self.waker = waker }

    /// The engine submits no more than ``BridgeSettings/maximumPasswordWork`` at a time.
    func submit(_ work: [PasswordWork]) {
        guard !work.isEmpty else { return }
        let mustStart = state.withLock { state in
            state.waiting.append(contentsOf: work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Returns the outcomes since the last call, in order.
    func takeOutcomes() -> [PasswordOutcome] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }

    /// Starts the thread, which ends when no work is left.
    private func start() {
        let thread = Thread {
            while let work = self.next() {
                let outcome = work.perform()
                self.state.withLock { $0.done.append(outcome) }
                self.waker.wake()
            }
        }
        thread.name = "passwords"
        thread.start()
    }

    private func next() -> PasswordWork? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil { state.isRunning = false }
            return work
        }
    }
}
