internal import DequeModule
internal import Foundation
internal import Synchronization

/// Runs computations on its own thread that would occupy a pool thread for too long: one after the
/// other, taking turns between parties, so that no one waits for more than one of each other
/// party's.
///
/// The thread exists only while there is work. Callers limit the number of waiting computations
/// (``Places``).
final class Computations: Sendable {
    private struct State {
        var waiting: [Party: Deque<@Sendable () -> Void>] = [:]
        /// The parties with waiting computations, without duplicates.
        var turns: Deque<Party> = []
        var isRunning = false
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: the maximum duration of each computation.
    init(limit: Duration) { self.limit = limit }

    /// The number of waiting computations, without the one in progress.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// - Parameter body: computes, and throws ``Overtime`` when the deadline has passed.
    func run<Value: Sendable>(
        for party: Party, _ body: @escaping @Sendable (Deadline) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let limit = limit
            enqueue(party) {
                continuation.resume(with: Result { try body(.after(limit)) })
            }
        }
    }

    private func enqueue(_ party: Party, _ job: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            if state.waiting[party] == nil { state.turns.append(party) }
            state.waiting[party, default: []].append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        let thread = Thread { [self] in while let job = next() { job() } }
        thread.name = "computations"
        thread.start()
    }

    /// Nil, and the thread ends, if nothing waits.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let party = state.turns.popFirst(), var own = state.waiting[party],
                let job = own.popFirst()
            else {
                state.isRunning = false
                return nil
            }
            state.waiting[party] = own.isEmpty ? nil : own
            if !own.isEmpty { state.turns.append(party) }
            return job
        }
    }
}
