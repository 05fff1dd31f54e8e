import DequeModule
import Directory
import Foundation
import Synchronization

/// Asks the directory on a few threads of its own. Whatever the directory does, there is an outcome
/// by the time limit, if necessary a failure.
///
/// The engine submits no more than ``DirectoryLogin/maximumWork`` password questions at a time.
/// Presence questions wait in a queue of their own.
final class DirectoryWorker: Sendable {
    private struct State {
        var waiting: Deque<DirectoryWork> = []
        /// Work without an outcome yet.
        var open: Set<UInt64> = []
        var threads = 0
    }

    private let state = Mutex(State())
    private let checks: SerialWorker<DirectoryWork>
    private let perform: @Sendable (DirectoryWork) -> DirectoryOutcome
    private let limit: Duration
    private let outcomes: Outcomes

    convenience init(_ settings: DirectorySettings, _ outcomes: Outcomes) {
        let client = DirectoryClient(settings)
        self.init(within: settings.timeLimit, outcomes) { $0.perform(client) }
    }

    /// - Parameter limit: for each password question, from its submission.
    init(
        within limit: Duration, _ outcomes: Outcomes,
        perform: @escaping @Sendable (DirectoryWork) -> DirectoryOutcome
    ) {
        (self.limit, self.outcomes, self.perform) = (limit, outcomes, perform)
        checks = SerialWorker("directory checks", givesWay: true) { outcomes.add([perform($0)]) }
    }

    func submit(_ work: [DirectoryWork]) {
        checks.submit(work.filter { $0.waiting == nil })
        for work in work where work.waiting != nil {
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
        let isNew = state.withLock { $0.open.remove(outcome.work) != nil }
        if isNew { outcomes.add([outcome]) }
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
