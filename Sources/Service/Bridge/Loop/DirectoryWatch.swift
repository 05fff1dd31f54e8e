import Directory
import Logging

/// Logs directory news for the operator: outages, and people logged out because the directory no
/// longer knows them. No one is named.
struct DirectoryWatch {
    /// Nil while the directory answers.
    private(set) var trouble: DirectoryError?
    private var said: (trouble: DirectoryError, at: Duration)?
    private var gone: Int64 = 0
    private var doubted: Int64 = 0

    /// - Parameter now: the steady clock's time.
    mutating func note(_ outcomes: [any WorkOutcome], at now: Duration, _ logger: Logger) {
        for outcome in outcomes {
            if let answer = (outcome as? DirectoryOutcome)?.answer {
                if case .failed(let error) = answer {
                    note(error, at: now, logger)
                } else {
                    note(nil, at: now, logger)
                }
            } else if let answer = outcome as? DirectoryProbe.Answer {
                note(answer.trouble, at: now, logger)
            }
        }
    }

    /// - Parameter new: nil if it has answered.
    private mutating func note(_ new: DirectoryError?, at now: Duration, _ logger: Logger) {
        trouble = new
        guard let error = new else {
            if said != nil { logger.notice("The directory answers again.") }
            said = nil
            return
        }
        if let said, said.trouble == error || now < said.at + DirectoryWatch.pause { return }
        said = (error, now)
        logger.warning(
            "The directory cannot check passwords.", metadata: ["reason": "\(error)"])
    }

    /// Checks the turns' counters.
    mutating func look(at counters: [String: Int64], _ logger: Logger) {
        let (left, missing) = (counters["directory-gone"] ?? 0, counters["directory-doubted"] ?? 0)
        if left > gone {
            logger.notice(
                "Users who are no longer in the directory were logged out.",
                metadata: ["count": "\(left - gone)"])
        }
        if missing > doubted, doubted == 0 {
            logger.error(
                """
                The directory does not know most of the users looked up: it is not trusted, \
                and no one is logged out. See docs/ldap.md.
                """)
        }
        (gone, doubted) = (left, missing)
    }

    /// The pause between two complaints of different kinds.
    private static let pause = Duration.seconds(60)
}
