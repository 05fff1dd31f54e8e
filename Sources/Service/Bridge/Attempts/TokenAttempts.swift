import Contract
import Tracking

/// Slows down guessing of invitation and share link tokens, per user and per source of guests. Only
/// invalid tokens count.
///
/// The counts are kept in memory only, so a restart clears them.
final class TokenAttempts {
    private var attempts = AttemptLimiter<Source>()

    enum Source: Hashable, Sendable {
        case user(UserID)
        case guest(AttemptBook.Source)
    }

    /// - Throws: `too-many-attempts`.
    func check(_ source: Source, at now: Timestamp) throws(Problem) {
        guard let wait = attempts.wait(of: source, at: now) else { return }
        let seconds = (wait.milliseconds + 999) / 1000
        throw Problem(.tooManyAttempts, "Try again in \(seconds) s.")
    }

    func noteFailure(of source: Source, at now: Timestamp) {
        // Programs on the broker's machine that do not identify their visitors, who must not wait
        // for each other.
        if source == .guest(.visitor(nil)) { return }
        attempts.begin(source, at: now)
    }
}
