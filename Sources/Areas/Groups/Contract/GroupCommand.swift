import JSON

/// What a device may ask for about groups, and about which of them see its owner's position.
public enum GroupCommand: AreaCommand {
    case create(name: DisplayName)
    case rename(GroupKey, name: DisplayName)
    case removeMember(GroupKey, Name)
    case leave(GroupKey)
    case list

    case startSharing(GroupSelection)
    case stopSharing(GroupSelection)
    /// The members after this name.
    case members(GroupKey, after: Name?, withReach: Bool)

    static func rename(_ fields: inout Fields) -> GroupCommand? {
        let (group, name) = (fields.group(), fields.displayName("name"))
        guard let group, let name else { return nil }
        return .rename(group, name: name)
    }

    static func removeMember(_ fields: inout Fields) -> GroupCommand? {
        let (group, user) = (fields.group(), fields.name("user"))
        guard let group, let user else { return nil }
        return .removeMember(group, user)
    }
}

/// The groups of the user that are meant.
public enum GroupSelection: Sendable {
    case all
    /// At least one, without duplicates, in the order given.
    case some([GroupKey])

    public static let maximum = 100
}

extension Fields {
    mutating func groups() -> GroupSelection? {
        switch self["groups"] {
        case nil:
            refuse("groups", "is missing")
        case .string("all"):
            return .all
        case .array(let elements) where !elements.isEmpty:
            return groups(elements)
        default:
            refuse("groups", "must be \"all\" or a list of group ids")
        }
        return nil
    }

    private mutating func groups(_ elements: [JSONValue]) -> GroupSelection? {
        guard elements.count <= GroupSelection.maximum else {
            refuse("groups", "must have at most \(GroupSelection.maximum) ids")
            return nil
        }
        var keys: [GroupKey] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let key = GroupKey(text) else {
                refuse("groups[\(index)]", "is not the id of a group")
                return nil
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return .some(keys)
    }
}
