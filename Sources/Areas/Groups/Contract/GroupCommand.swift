import JSON
public import Tracking

/// A device's requests about groups, and about which of them see its owner's position.
public enum GroupCommand: AreaCommand {
    case create(name: DisplayName)
    case rename(GroupKey, name: DisplayName)
    case removeMember(GroupKey, Name)
    case leave(GroupKey)
    case list

    /// - `until`: nil for sharing until the person stops.
    case startSharing(GroupSelection, until: Timestamp?)
    case stopSharing(GroupSelection)
    case pauseSharing(until: Timestamp)
    case resumeSharing
    /// The precision of the person's position for the group.
    case setPrecision(GroupKey, Precision)
    /// The members after this name.
    case members(GroupKey, after: Name?, withReach: Bool)
    /// Creates an observer.
    case createObserver(GroupKey, name: DisplayName)
    case endObserver(GroupKey, UUIDv7)
}

/// The selected groups of the user.
public enum GroupSelection: Sendable {
    case all
    /// At least one, without duplicates, in the order given.
    case some([GroupKey])

    public static let maximum = 100
}

extension Fields {
    /// - Returns: the groups without duplicates; nil if they were rejected.
    fileprivate mutating func groupKeys(_ elements: [JSONValue], _ field: String) -> [GroupKey]? {
        guard elements.count <= GroupSelection.maximum else {
            refuse(field, "must have at most \(GroupSelection.maximum) ids")
            return nil
        }
        var keys: [GroupKey] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let key = GroupKey(text) else {
                refuse("\(field)[\(index)]", "is not a group id")
                return nil
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

extension Form where Value == GroupKey {
    static let group = Form("group", .group)
}

extension Kind where Value == [GroupKey] {
    /// 1 to ``GroupSelection/maximum`` ids, without duplicates.
    static let groups = Kind(.array(of: .text(.rule("a group id")))) {
        value, field, fields, _ in
        guard case .array(let elements) = value else {
            fields.refuse(field, "must be a list of group ids")
            return nil
        }
        guard !elements.isEmpty else {
            fields.refuse(field, "must not be empty")
            return nil
        }
        return fields.groupKeys(elements, field)
    }
}

extension Kind where Value == GroupSelection {
    static let selection = Kind(
        .either([.choice(["all"]), .array(of: .text(.rule("a group id")))])
    ) { value, field, fields, _ in
        switch value {
        case .string("all"): return .all
        case .array(let elements) where !elements.isEmpty:
            return fields.groupKeys(elements, field).map { .some($0) }
        default:
            fields.refuse(field, "must be \"all\" or a list of group ids")
            return nil
        }
    }
}
