/// A member's response that they help a person in an emergency, seen only by that group.
public struct HelperResponse: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// On the way to the person.
        case coming
        /// Has called the emergency number.
        case called
    }

    public let user: UserID
    public let group: GroupID
    public let kind: Kind
    public let at: Timestamp

    public init(user: UserID, group: GroupID, kind: Kind, at: Timestamp) {
        (self.user, self.group, self.kind, self.at) = (user, group, kind, at)
    }
}

extension Tracker {
    /// Records that a member of an alerted group helps. Repeating it changes nothing.
    public mutating func respond(_ response: HelperResponse) -> [Effect] {
        changeResponses(in: response.group) { responses in
            let isKnown = responses.contains {
                ($0.user, $0.group, $0.kind) == (response.user, response.group, response.kind)
            }
            if !isKnown { responses.append(response) }
        }
    }

    /// Withdraws a member's response that they are coming.
    public mutating func takeBackComing(
        of user: UserID, in group: GroupID, _ rules: Rules
    ) -> [Effect] {
        let effects = changeResponses(in: group) { responses in
            responses.removeAll { ($0.user, $0.group, $0.kind) == (user, group, .coming) }
        }
        if !effects.isEmpty { callOn(group, rules) }
        return effects
    }

    /// Removes the responses of a helper who is no longer a member.
    public mutating func forgetResponses(
        of user: UserID, in group: GroupID, _ rules: Rules
    ) -> [Effect] {
        let effects = changeResponses(in: group) { responses in
            responses.removeAll { ($0.user, $0.group) == (user, group) }
        }
        if !effects.isEmpty { callOn(group, rules) }
        return effects
    }

    private mutating func changeResponses(
        in group: GroupID, _ body: (inout [HelperResponse]) -> Void
    ) -> [Effect] {
        guard let index = index(of: group), sessions[index].state == .sos else { return [] }
        let isChanged = undertaking.changeEmergency { emergency in
            let before = emergency.responses
            body(&emergency.responses)
            return emergency.responses != before
        }
        guard isChanged == true else { return [] }
        sessions[index].note(.state)
        return settle([])
    }
}
