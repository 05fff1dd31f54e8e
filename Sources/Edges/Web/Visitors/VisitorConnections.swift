internal import Contract
internal import Logging
internal import MQTT
internal import ServiceLifecycle
internal import Synchronization

/// The visitors' connections to the broker: one for each visitor, shared by all open tabs, opened
/// and closed as needed.
///
/// One thread drives all connections (``VisitorConnectionLoop``); calls are passed to it.
final class VisitorConnections: Service {
    typealias Answer<Value> = (Result<Value, Refusal>) -> Void

    struct Job: Sendable {
        var run: @Sendable (VisitorConnectionLoop) -> Void
        /// Called instead if the thread has ended.
        var refuse: @Sendable () -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isEnded = false
    }

    private let settings: WebSettings
    private let logger: Logger
    private let waker = Waker()
    private let state = Mutex(State())
    private let figures = Mutex(LoopStatistics())

    init(_ settings: WebSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                try await onThread(named: "visitors") { [self] in try drive() }
            } onCancel: {
                end()
            }
        } onGracefulShutdown: { [self] in
            end()
        }
    }

    /// Statistics as of the last second.
    var lastFigures: LoopStatistics { figures.withLock { $0 } }

    // MARK: For the routes

    /// Returns when the broker has accepted the visitor.
    func connect(_ visitor: Visitor) async throws(Refusal) {
        try await perform { loop, answer in
            loop.withConnection(of: visitor, orElse: answer) { $0.whenConnected(answer) }
        }
    }

    /// - Parameters:
    ///   - method: its name in the contract.
    ///   - patience: nil for the usual timeout of a request.
    ///   - whenTaken: called, only for ``Visitor/health``, when the broker has the request.
    /// - Returns: the reply.
    func ask(
        _ visitor: Visitor, _ method: String, _ payload: [UInt8], within patience: Duration? = nil,
        whenTaken: (@Sendable () -> Void)? = nil
    ) async throws(Refusal) -> [UInt8] {
        try await perform { loop, answer in
            loop.withConnection(of: visitor, orElse: answer) {
                $0.ask(
                    method, payload, at: loop.now, within: patience, whenTaken: whenTaken, answer)
            }
        }
    }

    /// - Returns: when the fixes are on disk or, if they have no numbers, when the broker has them.
    func send(_ visitor: Visitor, _ fixes: NumberedFixes) async throws(Refusal) -> FixOutcome {
        try await perform { loop, answer in
            loop.withConnection(of: visitor, orElse: answer) {
                $0.send(fixes, at: loop.now, answer)
            }
        }
    }

    /// - Parameter last: the last event that the reader received; events since then are sent first.
    /// - Returns: when all filters are granted.
    func open(
        _ visitor: Visitor, _ filters: [String], after last: EventID?,
        for reader: EventBudget.Reader
    ) async throws(Refusal) -> EventStream {
        try await perform { loop, answer in
            let isStranger =
                reader.party == nil || loop.existingConnection(of: visitor)?.isConnected != true
            guard loop.budget.hasRoom(at: reader.address, isStranger: isStranger) else {
                return answer(.failure(.tooMuch))
            }
            loop.withConnection(of: visitor, orElse: answer) {
                $0.open(
                    filters, after: last, from: reader.address, at: loop.now,
                    { loop.budget.stream(filters, of: reader, isStranger: isStranger) }, answer)
            }
        }
    }

    /// - Returns: the latest metrics of the bridge and the gate.
    /// - Throws: a refusal if the broker refuses the visitor, or the page has no room.
    func metrics(_ visitor: Visitor) async throws(Refusal) -> MetricReading {
        try await perform { loop, answer in
            loop.withConnection(of: visitor, orElse: answer) {
                $0.readMetrics(at: loop.now, answer)
            }
        }
    }

    /// Called when the reader has left.
    func close(_ stream: EventStream, of visitor: Visitor) {
        stream.end()
        enqueue(
            Job { loop in
                loop.existingConnection(of: visitor)?.close(stream, at: loop.now)
            } refuse: {
            })
    }

    /// Ends all readers; no new ones are accepted.
    func endReaders() {
        enqueue(
            Job { loop in
                loop.endReaders()
            } refuse: {
            })
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (VisitorConnectionLoop, @escaping Answer<Value>) -> Void
    ) async throws(Refusal) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Refusal>, Never>) in
            enqueue(
                Job { loop in
                    body(loop) { continuation.resume(returning: $0) }
                } refuse: {
                    continuation.resume(returning: .failure(.noBroker))
                })
        }
        return try result.get()
    }

    private func enqueue(_ job: Job) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.jobs.append(job) }
            return state.isEnded
        }
        if isEnded { job.refuse() } else { waker.wake() }
    }

    // MARK: The thread

    private func drive() throws {
        let loop = VisitorConnectionLoop(settings, logger: logger)
        defer {
            // Even if the loop fails, no caller must be left waiting for an answer.
            end()
            _ = takeJobs()
            loop.end()
        }
        while let jobs = takeJobs() {
            for job in jobs { job.run(loop) }
            if let figures = try loop.turn(waker) {
                self.figures.withLock { $0 = figures }
            }
        }
    }

    /// Returns the jobs; nil if the end has been requested.
    private func takeJobs() -> [Job]? {
        let (jobs, isEnded) = state.withLock { state in
            defer { state.jobs = [] }
            return (state.jobs, state.isEnded)
        }
        guard isEnded else { return jobs }
        for job in jobs { job.refuse() }
        return nil
    }

    private func end() {
        state.withLock { $0.isEnded = true }
        waker.wake()
    }
}
