import Contract
import Store
import Tracking

/// What somebody may find out about people of whom they know nothing.
extension Turn {
    /// The one answer where there is nobody, or nobody who wants to be found.
    static let nobody = Problem(.unknownUser, "There is no such user.")

    /// Counts that the person asks for somebody of whom they know nothing, or who is not there.
    ///
    /// - Throws: `too-many`, where they have asked for as many as a day has.
    func countIfStranger(_ other: Person?, to person: Person) throws(Refused) {
        if let other, try knows(person, other) { return }
        guard person.usage.admits(.strangers, at: now) else {
            throw .problem(problem(ofUsedUp: .strangers))
        }
        noteUsage(.strangers, of: person)
        note(.save, person)
    }

    func hasBlocked(_ person: Person, _ other: Person) throws(Refused) -> Bool {
        try stored { transaction throws(StoreError) in
            try transaction.hasBlocked(person.id, other.id)
        }
    }

    /// Whether they share a group, or one has the other on their list.
    private func knows(_ person: Person, _ other: Person) throws(Refused) -> Bool {
        if person === other { return true }
        if other.memberships.contains(where: { person.membership(in: $0.group.id) != nil }) {
            return true
        }
        return try stored { transaction throws(StoreError) in
            if try transaction.friend(other.id, of: person.id) != nil { return true }
            return try transaction.friend(person.id, of: other.id) != nil
        }
    }
}
