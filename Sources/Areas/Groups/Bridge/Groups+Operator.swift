import Contract
import JSON
import Store

extension Groups {
    /// Creates a group of people who have not been asked, for the operator, and notifies them: with
    /// all of them, or not at all.
    ///
    /// A refusal undoes nothing that was done before it, so that everything is checked first.
    ///
    /// - Parameter people: at least one, without duplicates.
    func createGroup(_ name: DisplayName, of people: [Person]) throws(Refused) -> [UInt8] {
        guard let first = people.first else { preconditionFailure("a group has a member") }
        guard people.count <= BridgeSettings.maximumMembers else {
            let limit = BridgeSettings.maximumMembers
            throw .problem(Problem(.tooMany, "A group may have at most \(limit) members."))
        }
        let full = people.filter { $0.memberships.count >= BridgeSettings.maximumGroups }
        guard full.isEmpty else {
            let limit = BridgeSettings.maximumGroups
            throw .problem(
                Problem(
                    .tooMany,
                    "A user may be in at most \(limit) groups, and these are: "
                        + "\(full.map(\.name.text).joined(separator: ", "))."))
        }
        let key = GroupKey(using: &random)
        let message = GroupMessage(
            group: key, name: name.text, members: people.map { ($0.name, $0.displayName) })
        guard Group.hasRoom(for: message) else {
            throw .problem(
                Problem(.tooMany, "The names of all members do not fit into a message."))
        }
        let group = try createGroup(key, name, by: first)
        for person in people.dropFirst() { try add(person, to: group, by: nil) }
        return group.message.payload
    }
}
