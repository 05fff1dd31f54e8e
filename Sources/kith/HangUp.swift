import Glibc

/// The meaning of SIGHUP: for a program with a terminal, the terminal is gone and everything ends;
/// for a service without one, it has to reload its configuration.
enum HangUp {
    /// Determined when the program starts, as a terminal that is gone no longer counts as one.
    static let isEnd = isatty(STDIN_FILENO) == 1

    /// For commands that have nothing to reload.
    static func ignoreIfNoEnd() {
        if !isEnd { signal(SIGHUP, SIG_IGN) }
    }
}
