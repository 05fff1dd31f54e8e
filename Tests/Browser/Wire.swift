import Foundation
import Glibc
import Synchronization
import TestSupport

/// The two pipes to the browser, and the DevTools protocol on them: JSON messages, each ended by a
/// zero byte (<https://chromedevtools.github.io/devtools-protocol/>).
final class Wire: Sendable {
    /// A message that the browser sent on its own.
    struct Event: Sendable {
        let method: String
        let parameters: JSON
        let session: String?
    }

    private struct Pending {
        let continuation: CheckedContinuation<JSON, any Error>
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        var lastID = 0
        var pending: [Int: Pending] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let writing = Mutex(())
    private let input: Int32
    private let output: Int32
    private let tell: @Sendable (Event) -> Void

    /// How long a command may take on a busy machine.
    private static let patience = Duration.seconds(60)

    /// Makes the pipes `in` and `out` in the directory, whose other ends the browser opens.
    ///
    /// - Parameter tell: called for each event, in order.
    init(in directory: String, tell: @escaping @Sendable (Event) -> Void) throws {
        for name in ["in", "out"] where mkfifo("\(directory)/\(name)", 0o600) != 0 {
            throw BrowserError("mkfifo: errno \(errno)")
        }
        // Opened so that neither call waits for the browser. The reading end notices the browser's
        // exit.
        input = open("\(directory)/in", O_RDWR | O_CLOEXEC)
        output = open("\(directory)/out", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0, output >= 0 else { throw BrowserError("open: errno \(errno)") }
        self.tell = tell
        Thread { [self] in read() }.start()
    }

    /// Whether the browser is gone.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Called when the browser is gone.
    private func end() {
        let pending = state.withLock { state in
            state.hasEnded = true
            defer { state.pending = [:] }
            return state.pending
        }
        for one in pending.values {
            one.continuation.resume(throwing: BrowserError("The browser has ended."))
        }
    }

    // MARK: Commands

    /// - Returns: the result.
    @discardableResult
    func send(_ method: String, _ parameters: JSON = [:], to session: String? = nil)
        async throws -> JSON
    {
        let answer = try await withCheckedThrowingContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard !state.hasEnded else { return nil }
                state.lastID += 1
                state.pending[state.lastID] = Pending(
                    continuation: continuation, deadline: .now + Wire.patience)
                return state.lastID
            }
            guard let id else {
                return continuation.resume(throwing: BrowserError("The browser has ended."))
            }
            var message: [String: JSON] = [
                "id": .number(Double(id)), "method": .string(method), "params": parameters,
            ]
            if let session { message["sessionId"] = .string(session) }
            write(.object(message))
        }
        if let problem = answer["error"]["message"].text {
            throw BrowserError("\(method): \(problem)")
        }
        return answer["result"]
    }

    private func write(_ message: JSON) {
        guard var bytes = try? JSONEncoder().encode(message) else { return }
        bytes.append(0)
        writing.withLock { _ in
            bytes.withUnsafeBytes { buffer in
                var rest = UnsafeRawBufferPointer(buffer)
                while !rest.isEmpty {
                    let count = Glibc.write(input, rest.baseAddress, rest.count)
                    guard count > 0 || errno == EINTR else { return }
                    rest = .init(rebasing: rest.dropFirst(max(0, count)))
                }
            }
        }
    }

    // MARK: Reading

    private func read() {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !state.withLock({ $0.hasEnded }) {
            giveUp()
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 200) > 0 else { continue }
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in buffer.prefix(count) {
                if byte != 0 {
                    line.append(byte)
                } else {
                    take(line)
                    line.removeAll(keepingCapacity: true)
                }
            }
        }
        end()
        close(input)
        close(output)
    }

    private func take(_ line: [UInt8]) {
        guard let message = try? JSONDecoder().decode(JSON.self, from: Data(line)) else { return }
        if let id = message["id"].number {
            let pending = state.withLock { $0.pending.removeValue(forKey: Int(id)) }
            pending?.continuation.resume(returning: message)
        } else if let method = message["method"].text {
            tell(
                Event(
                    method: method, parameters: message["params"],
                    session: message["sessionId"].text))
        }
    }

    private func giveUp() {
        let late = state.withLock { state in
            let now = ContinuousClock.now
            let late = state.pending.filter { $0.value.deadline < now }
            for id in late.keys { state.pending[id] = nil }
            return late
        }
        for one in late.values {
            one.continuation.resume(throwing: BrowserError("The browser does not answer."))
        }
    }
}
