import Contract
package import Directory
import Foundation
import Tracking

/// A question to the directory, which may take long: one turn asks, it is answered elsewhere, and a
/// later turn gets the ``DirectoryOutcome``. It carries everything that the later turn needs.
package struct DirectoryWork: Sendable {
    /// Assigned by the engine, in sequence.
    var id: UInt64 = 0
    let question: Question

    enum Question: Sendable {
        /// Whose password it is.
        case password(DirectoryPassword, Requester, PasswordWork.Purpose)
        /// Which of these are still there.
        case presence([UserID: EntryID])
    }

    var asker: Requester? {
        if case .password(_, let asker, _) = question { asker } else { nil }
    }
    var isAboutPassword: Bool { if case .password = question { true } else { false } }

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

/// What somebody has typed, for the directory.
struct DirectoryPassword: Sendable {
    let user: String
    /// The entry that it has to be; nil: anybody's.
    let entry: EntryID?
    let password: Password

    /// Nil if there can be nobody of that name: a directory might take it for another one's.
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

/// What the directory has said to a ``DirectoryWork``.
package struct DirectoryOutcome: Sendable {
    let work: UInt64
    let question: DirectoryWork.Question
    package let answer: Answer

    package enum Answer: Sendable {
        /// Whose password it is.
        case entry(DirectoryEntry)
        /// It is nobody's.
        case refused
        /// Those that are still there.
        case present(Set<EntryID>)
        /// It has said nothing.
        case failed(DirectoryError)
    }

    package init(of work: DirectoryWork, _ answer: Answer) {
        (self.work, question, self.answer) = (work.id, work.question, answer)
    }
}
