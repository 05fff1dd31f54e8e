import DequeModule
import Directory
import Foundation
import MQTT
import Synchronization

/// Asks the directory on a few threads of its own, and wakes the loop when there is an outcome.
/// Whatever the directory does, there is an outcome by the time limit, if necessary a failure.
///
/// The engine submits no more than ``DirectoryLogin/maximumWork`` password questions at a time.
/// Presence questions wait in a queue of their own.
final class DirectoryWorker: Sendable {
    private struct State {
        var waiting: Deque<DirectoryWork> = []
        /// Work without an outcome yet.
        var open: Set<UInt64> = []
        var done: [DirectoryOutcome] = []
        var threads = 0
    }

    private let state = Mutex(State())
    private let checks: SerialWorker<DirectoryWork, DirectoryOutcome>
    private let perform: @Sendable (DirectoryWork) -> DirectoryOutcome
    private let limit: Duration
    private let waker: Waker

    convenience init(_ settings: DirectorySettings, waker: Waker) {
        let client = DirectoryClient(settings)
        self.init(within: settings.timeLimit, waker: waker) { $0.perform(client) }
    }

    /// - Parameter limit: for each password question, from its submission.
    init(
        within limit: Duration, waker: Waker,
        perform: @escaping @Sendable (DirectoryWork) -> DirectoryOutcome
    ) {
        (self.limit, self.waker, self.perform) = (limit, waker, perform)
        checks = SerialWorker("directory checks", givesWay: true, waker: waker) { [perform($0)] }
    }

    func submit(_ work: [DirectoryWork]) {
        checks.submit(work.filter { !$0.isAboutPassword })
        for work in work where work.isAboutPassword {
            let mustStart = state.withLock { state in
                state.open.insert(work.id)
                state.waiting.append(work)
                guard state.threads < DirectoryLogin.threads else { return false }
                state.threads += 1
                return true
            }
            after(limit) { $0.finish(DirectoryOutcome(of: work, .failed(.timedOut))) }
            if mustStart { start() }
        }
    }

    func takeOutcomes() -> [DirectoryOutcome] {
        let own = state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
        return own + checks.takeOutcomes()
    }

    /// Starts a thread, which ends when the queue is empty.
    private func start() {
        let thread = Thread {
            while let work = self.next() {
                let begun = ContinuousClock.now
                let outcome = self.perform(work)
                let pause = DirectoryWorker.pause(before: outcome, after: .now - begun)
                self.after(pause) { $0.finish(outcome) }
            }
        }
        thread.name = "directory"
        thread.start()
    }

    /// Returns the next work; work past its limit has already been answered.
    private func next() -> DirectoryWork? {
        state.withLock { state in
            while let work = state.waiting.popFirst() {
                if state.open.contains(work.id) { return work }
            }
            state.threads -= 1
            return nil
        }
    }

    private func finish(_ outcome: DirectoryOutcome) {
        let isNew = state.withLock { state in
            guard state.open.remove(outcome.work) != nil else { return false }
            state.done.append(outcome)
            return true
        }
        if isNew { waker.wake() }
    }

    private func after(_ pause: Duration, _ body: @escaping @Sendable (DirectoryWorker) -> Void) {
        guard pause > .zero else { return body(self) }
        DispatchQueue.global().asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
            self.map(body)
        }
    }

    /// Returns the pause that delays a refusal to a full step: a directory may answer faster for
    /// people it does not know.
    static func pause(before outcome: DirectoryOutcome, after time: Duration) -> Duration {
        guard case .refused = outcome.answer else { return .zero }
        let steps = (time / step).rounded(.up)
        return step * max(1, steps) - time
    }

    static let step = Duration.milliseconds(500)
}
