internal import DequeModule
internal import Foundation
internal import Synchronization

/// Computes on a thread of its own what takes longer than a request should keep a thread of the pool: one
/// computation after the other, in turn for each party, so that nobody waits for more than one of somebody
/// else's.
///
/// The thread is there only while there is something to do. How many may wait is the callers' to bound
/// (``Places``).
final class Computations: Sendable {
    private struct State {
        var waiting: [Party: Deque<@Sendable () -> Void>] = [:]
        /// The parties with something that waits; each once.
        var turns: Deque<Party> = []
        var isRunning = false
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: how long each may take.
    init(limit: Duration) { self.limit = limit }

    /// Besides the one that is being computed.
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
