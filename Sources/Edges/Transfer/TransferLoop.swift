internal import CCurl
internal import Foundation
internal import Synchronization

/// A thread that drives transfers concurrently.
final class TransferLoop: Sendable {
    /// Messages from other threads.
    private struct Inbox: Sendable {
        var orders: [TransferOrder] = []
        var cancelled: [TransferOrder.ID] = []
        var isClosing = false
        /// Called once the thread has ended.
        var whenEnded: [@Sendable () -> Void] = []
        /// nil before the thread begins, and after it ends.
        var multi: MultiHandle?
        var hasEnded = false
    }

    private let inbox = Mutex(Inbox())
    private let bounds: TransferBounds
    /// The sockets that libcurl itself waits for, if it does.
    private let sockets: OpenSockets?

    /// - Parameter waits: whether libcurl waits for servers of these transfers.
    init(_ bounds: TransferBounds, named name: String, waits: Bool) {
        self.bounds = bounds
        sockets = waits ? OpenSockets() : nil
        _ = TransferLoop.libraryStarted
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    // MARK: From any thread

    func add(_ order: TransferOrder) {
        let isOpen = inbox.withLock { inbox in
            guard !inbox.isClosing else { return false }
            inbox.orders.append(order)
            inbox.multi?.wake()
            return true
        }
        if !isOpen { order.finish(.failure(.cancelled)) }
    }

    func cancel(_ id: TransferOrder.ID) {
        inbox.withLock { inbox in
            guard !inbox.isClosing else { return }
            // Before the thread can learn of it, and forget it.
            sockets?.cut(id)
            inbox.cancelled.append(id)
            inbox.multi?.wake()
        }
    }

    var isClosing: Bool { inbox.withLock { $0.isClosing } }

    /// Aborts everything under way.
    ///
    /// - Parameter whenEnded: called once the thread has ended.
    func close(_ whenEnded: @escaping @Sendable () -> Void = {}) {
        let hasEnded = inbox.withLock { inbox in
            inbox.isClosing = true
            if !inbox.hasEnded { inbox.whenEnded.append(whenEnded) }
            inbox.multi?.wake()
            return inbox.hasEnded
        }
        sockets?.cutAll()
        if hasEnded { whenEnded() }
    }

    // MARK: The thread

    private func run() {
        guard let multi = MultiHandle() else { preconditionFailure("out of memory") }
        inbox.withLock { $0.multi = multi }
        var transfers = Transfers(multi, bounds, sockets)
        while true {
            let (orders, cancelled, isClosing) = inbox.withLock { inbox in
                defer { (inbox.orders, inbox.cancelled) = ([], []) }
                return (inbox.orders, inbox.cancelled, inbox.isClosing)
            }
            for order in orders { transfers.add(order) }
            if !cancelled.isEmpty {
                transfers.cancel(Set(cancelled))
                sockets?.forget(Set(cancelled))
            }
            if isClosing { break }
            transfers.advance()
            multi.wait()
        }
        transfers.cancelAll()
        let whenEnded = inbox.withLock { inbox in
            inbox.multi = nil
            inbox.hasEnded = true
            defer { inbox.whenEnded = [] }
            return inbox.whenEnded
        }
        multi.free()
        for call in whenEnded { call() }
    }

    /// libcurl's setup, once for the whole process, and never torn down.
    private static let libraryStarted: Void = {
        let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        precondition(code == CURLE_OK, "libcurl does not start")
    }()
}
