import Contract
package import Directory
import Foundation
import Tracking

/// A question to the directory, which may take long: one turn asks, another thread answers, and a
/// later turn receives the ``DirectoryOutcome``. It carries everything that the later turn needs.
package struct DirectoryWork: RequestedWork {
    var id: UInt64 = 0
    let question: Question

    enum Question: Sendable {
        /// Asks whose password it is.
        case password(DirectoryPassword, Requester, PasswordWork.Purpose)
        /// Asks which of these entries still exist.
        case presence([UserID: EntryID])

        var requester: Requester? {
            if case .password(_, let asker, _) = self { asker } else { nil }
        }
    }

    var waiting: WaitingWork? {
        question.requester.map { WaitingWork(kind: .directory, requester: $0) }
    }

    package func perform(_ client: DirectoryClient) -> DirectoryOutcome {
        let answer: DirectoryOutcome.Answer
        do throws(DirectoryError) {
            switch question {
            case .password(let typed, _, _):
                let entry = try client.authenticate(
                    typed.user, knownAs: typed.entry, password: typed.password.bytes)
                answer = entry.map { .entry($0) } ?? .refused
            case .presence(let entries):
                answer = .present(try client.present(among: Array(entries.values)))
            }
        } catch {
            answer = .failed(error)
        }
        return DirectoryOutcome(of: self, answer)
    }
}

/// The credentials as typed, for the directory.
struct DirectoryPassword: Sendable {
    let user: String
    /// The entry they must belong to; nil for any entry.
    let entry: EntryID?
    let password: Password

    /// Nil if the name cannot be valid: a directory might match it to another person's.
    init?(_ user: String, _ password: Password, entry: EntryID? = nil) {
        let user = user.precomposedStringWithCompatibilityMapping
        let isReadable = user.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            if properties.isDefaultIgnorableCodePoint { return false }
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
                .privateUse, .otherSymbol:
                return false
            default: return true
            }
        }
        guard isReadable, !user.isEmpty, user.first?.isWhitespace == false,
            user.last?.isWhitespace == false
        else { return nil }
        (self.user, self.entry, self.password) = (user, entry, password)
    }
}

/// The directory's answer to a ``DirectoryWork``.
package struct DirectoryOutcome: RequestedOutcome {
    package static let kind: WorkKind? = .directory

    let work: UInt64
    let question: DirectoryWork.Question
    package let answer: Answer
    var requester: Requester? { question.requester }

    package enum Answer: Sendable {
        /// The entry that the password belongs to.
        case entry(DirectoryEntry)
        /// The password belongs to no entry.
        case refused
        /// The entries that still exist.
        case present(Set<EntryID>)
        /// There was no answer.
        case failed(DirectoryError)
    }

    package init(of work: DirectoryWork, _ answer: Answer) {
        (self.work, question, self.answer) = (work.id, work.question, answer)
    }
}
