internal import DequeModule
internal import MQTT
internal import NIOCore
internal import Synchronization

/// The queue of one event reader. The visitor connection writes to it and the reader takes from it;
/// the stream of a reader that is too slow is ended, and its connection closed.
final class EventStream: Sendable {
    private struct State {
        /// Buffers shared with the queues of all readers of the same events.
        var waiting: Deque<ByteBuffer> = []
        /// The waiting bytes, and those that the reader has taken but not sent yet.
        var unread = 0
        var underway = 0
        /// The bytes sent so far.
        var sent = 0
        var isEnded = false
        var isRead = false
        var reader: CheckedContinuation<Void, Never>?
    }

    enum Outcome: Equatable {
        case taken
        /// The first event without room.
        case overrun
        case ended
    }

    let filters: Set<String>
    let hasPatterns: Bool
    /// The filters with wildcards.
    private let patterns: [TopicFilter]
    private let backlog: Int
    private let accounts: [UnreadBytes]
    private let whenCut: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - backlog: in bytes.
    ///   - accounts: those of the reader's party, if there is one, of its address, and of all
    ///     readers.
    ///   - whenCut: closes the connection: a reader that takes nothing would otherwise keep its
    ///     part.
    init(
        _ filters: [String], backlog: Int, accounts: [UnreadBytes] = [],
        whenCut: @escaping @Sendable () -> Void = {}
    ) {
        self.filters = Set(filters)
        patterns = filters.map { TopicFilter($0) }.filter(\.hasWildcards)
        hasPatterns = !patterns.isEmpty
        self.backlog = backlog
        self.accounts = accounts
        self.whenCut = whenCut
    }

    deinit { count(-state.withLock { $0.unread }) }

    func matches(_ topic: String) -> Bool {
        filters.contains(topic) || patterns.contains { $0.matches(topic) }
    }

    /// The unread bytes, including those that the reader has taken but not sent yet.
    var unread: Int { state.withLock { $0.unread } }

    /// The same for all streams of the party, or of the address if there is none.
    var unreadOfReader: Int { accounts.first?.bytes ?? unread }

    /// Bytes sent so far.
    var sent: Int { state.withLock { $0.sent } }

    /// - Parameter parts: of one event.
    @discardableResult
    func write(_ parts: ByteBuffer...) -> Outcome {
        let size = parts.reduce(0) { $0 + EventStream.size(of: $1) }
        let (outcome, reader): (Outcome, CheckedContinuation<Void, Never>?) = state.withLock {
            state in
            guard !state.isEnded else { return (.ended, nil) }
            guard state.unread + size <= backlog else { return (.overrun, nil) }
            state.waiting.append(contentsOf: parts)
            state.unread += size
            return (.taken, state.reader.take())
        }
        switch outcome {
        case .taken: count(size)
        case .overrun: cut()
        case .ended: break
        }
        reader?.resume()
        return outcome
    }

    /// Ends the stream; the reader still receives waiting events.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Ends the stream, and drops waiting events.
    ///
    /// - Returns: whether it had not ended before.
    @discardableResult
    func cut() -> Bool {
        let (isFirst, dropped) = state.withLock { state in
            defer { state.isEnded = true }
            state.waiting = []
            let dropped = state.unread - state.underway
            state.unread = state.underway
            return (!state.isEnded, dropped)
        }
        count(-dropped)
        end()
        whenCut()
        return isFirst
    }

    /// Whether reading has begun; it never does if the browser left before the response.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// Waits for events; nil at the end of the stream. There must be only one reader, and the
    /// events that it took the last time count as sent.
    func next() async -> [ByteBuffer]? {
        while true {
            let (taken, sent): ([ByteBuffer]?, Int) = state.withLock { state in
                state.isRead = true
                let sent = state.underway
                state.unread -= sent
                state.sent += sent
                state.underway = 0
                if state.waiting.isEmpty { return (state.isEnded ? nil : [], sent) }
                var parts: [ByteBuffer] = []
                while state.underway < EventStream.piece, let part = state.waiting.popFirst() {
                    parts.append(part)
                    state.underway += EventStream.size(of: part)
                }
                return (parts, sent)
            }
            count(-sent)
            guard let taken else { return nil }
            if !taken.isEmpty { return taken }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isEnded || !state.waiting.isEmpty || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    private func count(_ bytes: Int) {
        guard bytes != 0 else { return }
        for account in accounts { account.add(bytes) }
    }

    /// Including the overhead of a queue entry.
    private static func size(of part: ByteBuffer) -> Int { part.readableBytes + 64 }

    /// The number of bytes sent at a time, unless one event is larger.
    private static let piece = 16_384
}

extension Optional {
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
