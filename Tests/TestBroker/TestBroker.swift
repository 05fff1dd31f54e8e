import Foundation
import Glibc
import LocalBroker
import Logging
import TestSupport

/// A Mosquitto of a test's own: on a free port, in a temporary directory, gone at its end.
public actor TestBroker {
    /// Stays the same over ``kill()`` and ``start()``, like the directory.
    public nonisolated var port: UInt16 { reservation.number }
    /// Where it saves its state.
    public nonisolated let directory: String
    private let reservation: ReservedPort
    private let process: MosquittoProcess
    private var life: Task<Void, Never>?
    /// Mosquitto's own; nil while it does not run.
    public private(set) var processIdentifier: Int32?
    /// How it ended the last time: its last complaints and its exit status.
    public private(set) var ending = ""

    init(template: String, directory: String) throws {
        self.directory = directory
        reservation = try ReservedPort()
        process = MosquittoProcess(
            BrokerSettings(
                template: template, dataDirectory: directory, port: reservation.number),
            logger: Logger(label: "test broker") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns when it accepts connections.
    public func start() async throws {
        precondition(life == nil, "a broker is started once at a time")
        precondition(
            ProcessInfo.processInfo.environment["KITH_TESTS"] != "pure",
            "a test that starts a broker imports TestBroker, LocalBroker or Subprocess by itself")
        let (ready, continuation) = AsyncThrowingStream<Int32, any Error>.makeStream()
        let process = process
        life = Task {
            do {
                let ending = try await process.run { continuation.yield($0) }
                self.ending = ending.reason
                continuation.finish(throwing: BrokerError.endedAtOnce(reason: ending.reason))
            } catch {
                continuation.finish(throwing: error)
            }
        }
        for try await identifier in ready {
            processIdentifier = identifier
            return
        }
        throw CancellationError()
    }

    /// Ends it like a power cut: immediately, with nothing saved. Returns when it is gone.
    public func kill() async {
        if let processIdentifier { Glibc.kill(processIdentifier, SIGKILL) }
        await gone()
    }

    /// Ends it as at a shutdown, with everything saved. Returns when it is gone.
    public func stop() async {
        life?.cancel()
        await gone()
    }

    /// Has it save its state now, and returns when that is done.
    public func save() async throws {
        func lastSave() -> (inode: UInt, seconds: Int, nanoseconds: Int)? {
            var status = stat()
            guard stat(file, &status) == 0 else { return nil }
            return (status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
        let before = lastSave()
        if let processIdentifier { Glibc.kill(processIdentifier, SIGUSR1) }
        let deadline = ContinuousClock.now + patience
        while true {
            // It does nothing else while it saves, and puts the file in its place at the end.
            if let now = lastSave(), before.map({ $0 != now }) ?? true { return }
            guard ContinuousClock.now < deadline else { throw NothingHappened() }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether its saved state contains the text.
    public nonisolated func hasSaved(_ text: String) -> Bool {
        (try? Data(contentsOf: URL(filePath: file)))?.range(of: Data(text.utf8)) != nil
    }

    private nonisolated var file: String { directory + "/mosquitto.db" }

    private func gone() async {
        await life?.value
        (life, processIdentifier) = (nil, nil)
    }

    /// Writes the configuration that Kith itself is developed with, without the gate: callers
    /// that want it give its path.
    ///
    /// - Parameter change: applied to its text.
    /// - Returns: the path of the file.
    public static func writeTemplate(
        in directory: String, changing change: (String) -> String = { $0 }
    ) throws -> String {
        let original =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/") + "/broker-config/development.conf"
        let text = try String(contentsOfFile: original, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("plugin") }.joined(separator: "\n")
        let path = directory + "/template.conf"
        try change(text).write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

/// Runs `body` with a broker that is ready, and ends the broker after it.
///
/// - Parameter change: applied to the text of its configuration.
public func withBroker<R>(
    changing change: (String) -> String = { $0 },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestBroker) async throws -> R
) async throws -> R {
    try await withTemporaryDirectory { directory in
        let template = try TestBroker.writeTemplate(in: directory, changing: change)
        let broker = try TestBroker(template: template, directory: directory)
        try await broker.start()
        do {
            let result = try await body(broker)
            await broker.kill()
            return result
        } catch {
            await broker.kill()
            throw error
        }
    }
}
