internal import Synchronization

/// Sends HTTP requests and mail, many at a time. All requests share a thread. Each lane of mail has
/// a few of its own: libcurl blocks while a mail server answers a message, or a goodbye, and so
/// does everything else in that thread.
///
/// It sends everything once: a caller who needs delivery resends after a failure.
public final class TransferClient: Sendable {
    private let http: TransferLoop
    private let mail: [TransferLane: MailThreads]
    private let lastID = Atomic<TransferOrder.ID>(0)

    /// The threads of a lane, which take turns: another lane's messages do not affect their order.
    private final class MailThreads: Sendable {
        let loops = (0..<TransferClient.mailThreads).map { _ in
            // One after the other, each over the connection of the one before.
            TransferLoop(TransferBounds(atOnce: 1, perHost: 1), named: "mail", waits: true)
        }
        private let count = Atomic<Int>(0)

        var next: TransferLoop {
            loops[count.add(1, ordering: .relaxed).oldValue % loops.count]
        }
    }

    /// - Parameter http: the number of requests at a time.
    public init(http: TransferBounds = TransferBounds()) {
        self.http = TransferLoop(http, named: "transfers", waits: false)
        self.mail = Dictionary(
            TransferLane.allCases.map { ($0, MailThreads()) }, uniquingKeysWith: { $1 })
    }

    /// The number of messages of a lane that are sent at a time.
    public static let mailThreads = 8

    deinit {
        for loop in loops { loop.close() }
    }

    /// - Returns: the response, even if it is a failure.
    public func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let id = nextID()
        let answer = try await send(.http(request), id, over: http)
        return HTTPResponse(
            status: answer.code, retryAfter: answer.retryAfter, body: answer.body)
    }

    /// - Returns: the mail server's reply, even if it is a failure.
    public func send(_ mail: MailSubmission) async throws(TransferError) -> MailReply {
        guard let threads = self.mail[mail.lane] else {
            preconditionFailure("each lane has threads")
        }
        let answer = try await send(.mail(mail), nextID(), over: threads.next)
        return MailReply(
            code: answer.code, answer.refusal, isAboutRecipient: answer.isAboutRecipient)
    }

    /// Aborts everything under way, and returns when its threads have ended. Everything sent from
    /// then on fails.
    public func close() async {
        for loop in loops {
            await withCheckedContinuation { continuation in loop.close { continuation.resume() } }
        }
    }

    private var loops: [TransferLoop] { [http] + mail.values.flatMap(\.loops) }

    private func nextID() -> TransferOrder.ID { lastID.add(1, ordering: .relaxed).newValue }

    private func send(
        _ work: TransferOrder.Work, _ id: TransferOrder.ID, over loop: TransferLoop
    ) async throws(TransferError) -> TransferAnswer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.add(
                    TransferOrder(id: id, work: work) { continuation.resume(returning: $0) })
                // A task cancelled earlier was notified before there was anything to cancel.
                if Task.isCancelled { loop.cancel(id) }
            }
        } onCancel: {
            loop.cancel(id)
        }
        // Whichever of the two ended the transfer.
        if case .failure = result, Task.isCancelled || loop.isClosing { throw .cancelled }
        return try result.get()
    }
}
