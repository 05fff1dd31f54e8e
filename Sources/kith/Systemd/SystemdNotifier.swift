import Glibc
import Logging
import ServiceLifecycle

/// Tells systemd when the service is ready, what it waits for, and that it is alive. Does nothing
/// where nobody asked for it (`Type=notify`).
///
/// It lends nobody its own life: the watchdog is answered only as long as each part has given a sign
/// of its own.
struct SystemdNotifier: Service {
    private let socket: NotificationSocket?
    private let watchdog: Duration?
    private let pulses: [Pulse]
    private let look: @Sendable () async -> Void

    /// So long is a part waited for that works, but does not serve: a bridge without a broker, or
    /// with a full disk, must not be ended because of that.
    private static let patience = Duration.seconds(30)

    /// - Parameters:
    ///   - pulses: the parts; those of others than the caller beat by themselves.
    ///   - look: called before each decision, for parts that have to be asked. If it does not return,
    ///     nor is the watchdog answered.
    init(_ pulses: [Pulse], look: @escaping @Sendable () async -> Void = {}) {
        let environment = SystemdNotifier.takeEnvironment()
        socket = environment.socket.flatMap { NotificationSocket($0) }
        watchdog = environment.watchdog
        self.pulses = pulses
        self.look = look
    }

    /// Mosquitto and the commands that send help, which this program starts, must not speak for it.
    private static func takeEnvironment() -> (socket: String?, watchdog: Duration?) {
        func take(_ name: String) -> String? {
            defer { unsetenv(name) }
            return getenv(name).map { String(cString: $0) }
        }
        let process = take("WATCHDOG_PID").flatMap { pid_t($0) }
        let microseconds = take("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        let isMeant = microseconds > 0 && (process == nil || process == getpid())
        return (take("NOTIFY_SOCKET"), isMeant ? .microseconds(microseconds) : nil)
    }

    func run() async {
        guard let socket else { return await waitForTheEnd() }
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await tell(socket) }
        } onGracefulShutdown: {
            socket.send("STOPPING=1")
        }
    }

    private func waitForTheEnd() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled { await SystemdNotifier.pause(.seconds(3_600)) }
        }
    }

    private func tell(_ socket: NotificationSocket) async {
        let start = ContinuousClock.now
        var isReady = false
        var said: String?
        while !Task.isCancelled {
            await look()
            let now = ContinuousClock.now
            let waiting = pulses.filter { !$0.isServing }.map(\.name)
            let isTired = now - start >= SystemdNotifier.patience && pulses.allSatisfy(\.hasBegun)
            if !isReady, waiting.isEmpty || isTired { isReady = socket.send("READY=1") }
            let status =
                waiting.isEmpty ? "Serving." : "Waiting for \(waiting.joined(separator: ", "))."
            if status != said, socket.send("STATUS=\(status)") { said = status }
            if let watchdog, isReady,
                pulses.allSatisfy({ $0.isAlive(within: watchdog / 2, at: now) })
            {
                socket.send("WATCHDOG=1")
            }
            let longest = Duration.seconds(1)
            await SystemdNotifier.pause(
                isReady ? min(longest, (watchdog ?? longest) / 4) : .milliseconds(100))
        }
    }

    /// Sleeps; returns early if cancelled.
    private static func pause(_ duration: Duration) async {
        do { try await Task.sleep(for: duration) } catch {}
    }

    // MARK: Reloading

    /// Runs something during which the service counts as reloading.
    func whileReloading(_ body: () async -> Void) async {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        socket?.send(
            "RELOADING=1", "MONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
        await body()
        socket?.send("READY=1")
    }
}
