internal import Contract
internal import DequeModule
internal import JSON
internal import Synchronization

/// The answers to public requests that are the same for everyone, such as the list of runs: the
/// same request at the same time, or shortly afterwards, gets the page's cached answer.
final class PublicAnswers: Sendable {
    typealias Outcome = Result<[UInt8], Refusal>

    private struct Entry {
        let at: ContinuousClock.Instant
        let answer: Task<Outcome, Never>
        /// The answer's size, once it is available.
        var size: Int?
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// The keys, the oldest first; some may have a newer entry.
        var order: Deque<(key: [UInt8], at: ContinuousClock.Instant)> = []
        var size = 0
    }

    private let state = Mutex(State())

    /// The time that an answer is valid, …
    static let freshness = Duration.seconds(2)
    /// … and if there is no room for a request.
    static let patience = Duration.seconds(10)
    /// Whether all guests get the same answer: requests about runs.
    static func hold(_ method: String) -> Bool { method.hasPrefix("run.") }
    static let maximumCount = 500
    static let maximumSize = 8 << 20

    /// - Parameters:
    ///   - admit: returns the connection for the request; throws if no request can be made now.
    ///   - ask: gets the answer.
    func answer(
        to method: String, _ body: JSONValue, at now: ContinuousClock.Instant = .now,
        admit: () throws(Refusal) -> Int, ask: @escaping @Sendable (Int) async -> Outcome
    ) async throws(Refusal) -> [UInt8] {
        let key = PublicAnswers.key(method, body)
        let known = state.withLock { $0.entries[key] }
        if let known, now - known.at < PublicAnswers.freshness {
            return try await known.answer.value.get()
        }
        let connection: Int
        do throws(Refusal) {
            connection = try admit()
        } catch {
            guard let known, now - known.at < PublicAnswers.patience else { throw error }
            return try await known.answer.value.get()
        }
        let task = Task { await ask(connection) }
        enter(Entry(at: now, answer: task), key)
        let outcome = await task.value
        note(outcome, key, at: now)
        return try outcome.get()
    }

    private func enter(_ entry: Entry, _ key: [UInt8]) {
        state.withLock { state in
            state.size -= state.entries[key]?.size ?? 0
            state.entries[key] = entry
            state.order.append((key, entry.at))
            trim(&state)
        }
    }

    /// Keeps an answer; refusals are not kept.
    private func note(_ outcome: Outcome, _ key: [UInt8], at: ContinuousClock.Instant) {
        state.withLock { state in
            guard state.entries[key]?.at == at else { return }
            guard case .success(let bytes) = outcome else { return state.entries[key] = nil }
            state.entries[key]?.size = bytes.count + key.count
            state.size += bytes.count + key.count
            trim(&state)
        }
    }

    private func trim(_ state: inout State) {
        while state.order.count > PublicAnswers.maximumCount
            || state.size > PublicAnswers.maximumSize,
            let oldest = state.order.popFirst()
        {
            guard let entry = state.entries[oldest.key], entry.at == oldest.at else { continue }
            state.size -= entry.size ?? 0
            state.entries[oldest.key] = nil
        }
    }

    /// The method and its fields, without those that only identify a request.
    private static func key(_ method: String, _ body: JSONValue) -> [UInt8] {
        var asked = body
        if case .object(let all) = body {
            asked = .object(
                all.filter { !["id", "visitor"].contains($0.key) }.sorted { $0.key < $1.key })
        }
        var json = JSONWriter()
        json.value(asked)
        return Array(method.utf8) + json.bytes
    }
}
