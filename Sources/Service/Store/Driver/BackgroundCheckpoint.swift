internal import Dispatch
internal import GRDB
internal import Synchronization

/// Moves the write-ahead log into the database on its own connection and thread, while transactions
/// continue (a passive checkpoint, https://sqlite.org/wal.html#ckpt).
///
/// Transactions committed during the checkpoint stay in the log, so it never becomes empty by this
/// alone: the committing connection moves the rest.
final class BackgroundCheckpoint: Sendable {
    private enum State { case idle, running, ended }

    private let path: String
    private let state = Mutex(State.idle)
    private let thread = DispatchQueue(label: "checkpoint")
    /// Opened on first use.
    private let connection = Mutex<DatabaseQueue?>(nil)

    init(path: String) { self.path = path }

    /// Starts one if none has been started since ``reset()``.
    ///
    /// - Returns: whether it is in progress. Otherwise it has ended, successfully or not.
    func isUnderWay() -> Bool {
        let (isUnderWay, mustStart) = state.withLock { state in
            let before = state
            if before == .idle { state = .running }
            return (before != .ended, before == .idle)
        }
        if mustStart { thread.async { self.run() } }
        return isUnderWay
    }

    /// Forgets one that has ended.
    func reset() {
        state.withLock { if $0 == .ended { $0 = .idle } }
    }

    /// Waits for one in progress, and closes the connection.
    func close() throws {
        try thread.sync {
            try connection.withLock {
                try $0?.close()
                $0 = nil
            }
        }
    }

    private func run() {
        defer { state.withLock { $0 = .ended } }
        do {
            let queue = try connection.withLock { connection in
                let queue = try connection ?? open()
                connection = queue
                return queue
            }
            try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        } catch {
            // The transaction that moves the rest then moves everything, and reports errors.
        }
    }

    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
