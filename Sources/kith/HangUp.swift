import Glibc
import LocalBroker
import ServiceLifecycle
import UnixSignals

/// What SIGHUP means: of somebody with a terminal, that it is gone, and everything ends; of a
/// service without one, that there is something new to read.
enum HangUp {
    /// As it is when the program starts: a terminal that is gone is none.
    static let isEnd = isatty(STDIN_FILENO) == 1

    /// For what has nothing new to read.
    static func ignoreIfNoEnd() {
        if !isEnd { signal(SIGHUP, SIG_IGN) }
    }
}

/// Starts Mosquitto anew with each SIGHUP, with what it had saved. Its own way to take new
/// certificates leaves out the listeners for WebSockets.
struct Renewal: Service {
    let broker: LocalBroker

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            broker.renew()
        }
    }
}
