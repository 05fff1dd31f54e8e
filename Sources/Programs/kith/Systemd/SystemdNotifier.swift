import Glibc
import Logging
import ServiceLifecycle

/// Notifies systemd when the service is ready, what it waits for, and that it is alive. Does
/// nothing unless that was requested (`Type=notify`). A part of `kith up` notifies its supervisor
/// instead.
///
/// It does not vouch for the parts: the watchdog is answered only as long as each part has given
/// its own sign.
struct SystemdNotifier: Service {
    private let receiver: (any NotificationReceiver)?
    private let isPart: Bool
    private let watchdog: Duration?
    private let pulses: [Pulse]
    private let look: @Sendable () async -> Void

    /// How long to wait for a part that works but does not serve: a bridge without a broker, or
    /// with a full disk, must not be ended because of that.
    private static let patience = Duration.seconds(30)

    /// - Parameters:
    ///   - pulses: the parts; those other than the caller beat by themselves.
    ///   - look: called before each decision, for parts that have to be queried. If it does not
    ///     return, the watchdog is not answered either.
    init(
        _ pulses: [Pulse], isPart: Bool = false, look: @escaping @Sendable () async -> Void = {}
    ) {
        let environment = SystemdNotifier.takeEnvironment()
        receiver =
            isPart
            ? SupervisorPipe() : environment.socket.flatMap { NotificationSocket($0) }
        self.isPart = isPart
        watchdog = environment.watchdog
        self.pulses = pulses
        self.look = look
    }

    /// Removes the variables from the environment: Mosquitto and the commands that send help, which
    /// this program starts, must not speak for it.
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
        guard let receiver else { return await waitForTheEnd() }
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await tell(receiver) }
        } onGracefulShutdown: {
            receiver.send("STOPPING=1")
        }
    }

    private func waitForTheEnd() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled { await SystemdNotifier.pause(.seconds(3_600)) }
        }
    }

    private func tell(_ receiver: any NotificationReceiver) async {
        let start = ContinuousClock.now
        var isReady = false
        var said: String?
        while !Task.isCancelled {
            await look()
            let now = ContinuousClock.now
            let waiting = pulses.filter { !$0.isServing }.map(\.name)
            let isTired = now - start >= SystemdNotifier.patience && pulses.allSatisfy(\.hasBegun)
            if !isReady, waiting.isEmpty || isTired { isReady = receiver.send("READY=1") }
            let status =
                waiting.isEmpty ? "Serving." : "Waiting for \(waiting.joined(separator: ", "))."
            if status != said, receiver.send("STATUS=\(status)") { said = status }
            // A supervisor counts from the first sign, even if readiness takes long.
            if let watchdog, isReady || isPart,
                pulses.allSatisfy({ $0.isAlive(within: watchdog / 2, at: now) })
            {
                receiver.send("WATCHDOG=1")
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

    /// Runs a body during which the service counts as reloading.
    func whileReloading(_ body: () async -> Void) async {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        receiver?.send(
            "RELOADING=1", "MONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
        await body()
        receiver?.send("READY=1")
    }

    // MARK: The port of the page

    /// Reports to the supervisor which port was free; only in a part.
    func report(port: Int) {
        if isPart { receiver?.send("\(SystemdNotifier.port)\(port)") }
    }

    /// Returns the port reported in a part's line.
    static func port(in line: String) -> Int? {
        line.hasPrefix(port) ? Int(line.dropFirst(port.count)) : nil
    }

    private static let port = "X_PORT="
}
