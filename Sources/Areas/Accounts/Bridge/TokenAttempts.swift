import Contract
import Tracking

/// Slows down those who try tokens of invitations and of links that show where somebody is: each
/// user, and each source of guests. Only what
/// is no token counts.
///
/// Kept in memory only, so a restart forgets it.
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
        // Programs on the broker's machine that do not tell their visitors apart: nobody is to wait
        // for what another did.
        if source == .guest(.visitor(nil)) { return }
        attempts.begin(source, at: now)
    }
}
