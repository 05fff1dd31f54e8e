import Directory
import Logging

/// What an operator is told of the directory: that it does not answer, and that people were logged out
/// because it does not know them any more. Nobody is named.
struct DirectoryWatch {
    /// Nil as long as it answers.
    private(set) var trouble: DirectoryError?
    private var said: (trouble: DirectoryError, at: Duration)?
    private var gone: Int64 = 0
    private var doubted: Int64 = 0

    /// - Parameter now: by the steady clock.
    mutating func note(_ outcomes: [DirectoryOutcome], at now: Duration, _ logger: Logger) {
        for outcome in outcomes {
            if case .failed(let error) = outcome.answer {
                note(error, at: now, logger)
            } else {
                note(nil, at: now, logger)
            }
        }
    }

    /// - Parameter new: nil if it has answered.
    mutating func note(_ new: DirectoryError?, at now: Duration, _ logger: Logger) {
        trouble = new
        guard let error = new else {
            if said != nil { logger.notice("The directory answers again.") }
            said = nil
            return
        }
        if let said, said.trouble == error || now < said.at + DirectoryWatch.pause { return }
        said = (error, now)
        logger.warning(
            "The directory cannot check anybody's password.", metadata: ["reason": "\(error)"])
    }

    /// Looks at what the turns have counted.
    mutating func look(at counters: [String: Int64], _ logger: Logger) {
        let (left, missing) = (counters["directory-gone"] ?? 0, counters["directory-doubted"] ?? 0)
        if left > gone {
            logger.notice(
                "People whom the directory does not know any more were logged out.",
                metadata: ["count": "\(left - gone)"])
        }
        if missing > doubted, doubted == 0 {
            logger.error(
                """
                The directory does not know most of those who were asked about: it is not believed, \
                and nobody is logged out. See docs/ldap.md.
                """)
        }
        (gone, doubted) = (left, missing)
    }

    /// Between two complaints of different kinds.
    private static let pause = Duration.seconds(60)
}
