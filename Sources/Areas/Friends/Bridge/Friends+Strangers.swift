import Contract
import Store
import Tracking

/// Limits requests about strangers.
extension Friends {
    /// Counts a request about a stranger or an unknown user.
    ///
    /// - Throws: `too-many` if the day's quota is used up; `unknown-user` for users whom strangers
    ///   cannot reach.
    func countIfStranger(_ other: Person?, to person: Person) throws {
        if try knows(person, other) { return }
        if let other, settings.closedToStrangers.contains(other.name) { throw Problem.noSuchUser }
        try turn.countRequestAboutStranger(by: person)
    }

    func hasBlocked(_ person: Person, _ other: Person) throws -> Bool {
        try transaction.hasBlocked(person.id, other.id)
    }

    /// Returns whether the two share a group, or one has the other on their list; false for an
    /// unknown user, after as much work as for a stranger.
    private func knows(_ person: Person, _ other: Person?) throws -> Bool {
        if person === other { return true }
        if let other,
            other.sharesGroup(with: person)
        {
            return true
        }
        let id = other?.id ?? UserID(rawValue: 0)
        return try transaction.isFriend(id, of: person.id)
            || transaction.isFriend(person.id, of: id)
    }
}

extension Problem {
    /// The common answer for an unknown user and for one who does not want to be found.
    static let noSuchUser = Problem(.unknownUser, "There is no such user.")
}
