import JSON
public import Tracking

/// What a device may ask for about groups, and about which of them see its owner's position.
public enum GroupCommand: AreaCommand {
    case create(name: DisplayName)
    case rename(GroupKey, name: DisplayName)
    case removeMember(GroupKey, Name)
    case leave(GroupKey)
    case list

    /// - `until`: nil: until the person stops.
    case startSharing(GroupSelection, until: Timestamp?)
    case stopSharing(GroupSelection)
    case pauseSharing(until: Timestamp)
    case resumeSharing
    /// How exactly the group sees where the person is.
    case setPrecision(GroupKey, Precision)
    /// The members after this name.
    case members(GroupKey, after: Name?, withReach: Bool)
    /// A program is to see what the group sees.
    case createObserver(GroupKey, name: DisplayName)
    case endObserver(GroupKey, UUIDv7)
}

/// The groups of the user that are meant.
public enum GroupSelection: Sendable {
    case all
    /// At least one, without duplicates, in the order given.
    case some([GroupKey])

    public static let maximum = 100
}

extension Fields {
    /// - Returns: each once; nil if they were refused.
    fileprivate mutating func groupKeys(_ elements: [JSONValue], _ field: String) -> [GroupKey]? {
        guard elements.count <= GroupSelection.maximum else {
            refuse(field, "must have at most \(GroupSelection.maximum) ids")
            return nil
        }
        var keys: [GroupKey] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let key = GroupKey(text) else {
                refuse("\(field)[\(index)]", "is not the id of a group")
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
    /// 1 to ``GroupSelection/maximum`` ids, each once.
    static let groups = Kind(.array(of: .text(.rule("the id of a group")))) {
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
        .either([.choice(["all"]), .array(of: .text(.rule("the id of a group")))])
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
