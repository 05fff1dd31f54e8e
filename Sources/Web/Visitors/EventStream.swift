internal import MQTT
internal import Synchronization

/// The queue of one reader of events. The visitor connection writes to it and the reader takes from
/// it; the stream of a reader that is too slow is ended.
final class EventStream: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isEnded = false
        var isRead = false
        var reader: CheckedContinuation<Void, Never>?
    }

    let filters: Set<String>
    /// The filters with wildcards.
    private let patterns: [TopicFilter]
    private let backlog: Int
    private let state = Mutex(State())

    /// - Parameter backlog: in bytes.
    init(_ filters: [String], backlog: Int) {
        self.filters = Set(filters)
        patterns = filters.map { TopicFilter($0) }.filter(\.hasWildcards)
        self.backlog = backlog
    }

    var hasPatterns: Bool { !patterns.isEmpty }

    func matches(_ topic: String) -> Bool {
        filters.contains(topic) || patterns.contains { $0.matches(topic) }
    }

    /// - Returns: whether the reader keeps up.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        let (isOpen, reader) = state.withLock { state in
            if state.bytes.count + bytes.count > backlog { state.isEnded = true }
            if !state.isEnded { state.bytes += bytes }
            return (!state.isEnded, state.reader.take())
        }
        reader?.resume()
        return isOpen
    }

    /// Ends the stream; the reader still takes what is there.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Whether reading has begun; it never does if the browser left before the response.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// Waits for bytes; nil at the end of the stream. There must be only one reader.
    func next() async -> [UInt8]? {
        while true {
            let taken: [UInt8]? = state.withLock { state in
                state.isRead = true
                if state.bytes.isEmpty { return state.isEnded ? nil : [] }
                return state.bytes.take()
            }
            guard let taken else { return nil }
            if !taken.isEmpty { return taken }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isEnded || !state.bytes.isEmpty || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }
}

extension Optional {
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}

extension [UInt8] {
    fileprivate mutating func take() -> [UInt8] {
        defer { self = [] }
        return self
    }
}
