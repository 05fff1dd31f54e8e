import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// The meaning of SIGHUP: for a program with a terminal, the terminal is gone and everything ends;
/// for a service without one, it has to reload its configuration.
enum HangUp {
    /// Determined when the program starts, as a terminal that is gone no longer counts as one.
    static let isEnd = isatty(STDIN_FILENO) == 1

    /// For commands that have nothing to reload.
    static func ignoreIfNoEnd() {
        if !isEnd { signal(SIGHUP, SIG_IGN) }
    }

    /// The services of a program, which end in reverse order when it is asked to end.
    static func group(_ services: [any Service], _ logger: Logger) -> ServiceGroup {
        ServiceGroup(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint] + (isEnd ? [.sighup] : []),
            logger: logger)
    }
}
