import Contract
import Store
import Tracking

/// Limits what somebody can find out about strangers.
extension Friends {
    /// Counts a request about somebody who is a stranger to the person, or does not exist.
    ///
    /// - Throws: `too-many` if the day's quota is used up; `unknown-user` for those whom strangers do
    ///   not reach.
    func countIfStranger(_ other: Person?, to person: Person) throws(Refused) {
        if try knows(person, other) { return }
        if let other, settings.closedToStrangers.contains(other.name) {
            throw .problem(.noSuchUser)
        }
        guard person.usage.admits(.strangers, at: now) else {
            throw .problem(turn.problem(ofUsedUp: .strangers))
        }
        noteUsage(.strangers, of: person)
        note(.save, person)
    }

    func hasBlocked(_ person: Person, _ other: Person) throws(Refused) -> Bool {
        try stored { transaction throws(StoreError) in
            try transaction.hasBlocked(person.id, other.id)
        }
    }

    /// Returns whether the two share a group, or one has the other on their list; false for
    /// somebody who does not exist, after as much work as for a stranger.
    private func knows(_ person: Person, _ other: Person?) throws(Refused) -> Bool {
        if person === other { return true }
        if let other,
            other.sharesGroup(with: person)
        {
            return true
        }
        let id = other?.id ?? UserID(rawValue: 0)
        return try stored { transaction throws(StoreError) in
            if try transaction.friend(id, of: person.id) != nil { return true }
            return try transaction.friend(person.id, of: id) != nil
        }
    }
}

extension Problem {
    /// The same answer whether the user does not exist or does not want to be found.
    static let noSuchUser = Problem(.unknownUser, "There is no such user.")
}
