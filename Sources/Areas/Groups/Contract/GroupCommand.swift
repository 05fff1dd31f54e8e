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

    public static let shortestShare = Duration.seconds(60)
    public static let longestShare = Duration.seconds(30 * 86_400)

    static func startSharing(_ fields: inout Fields, at now: Timestamp) -> GroupCommand? {
        let until = fields.time(ifPresent: "until")
        fields.checkEnd(until, at: now)
        return fields.groups().map { .startSharing($0, until: until) }
    }

    static func pause(_ fields: inout Fields, at now: Timestamp) -> GroupCommand? {
        let until = fields.time("until")
        fields.checkEnd(until, at: now)
        return until.map { .pauseSharing(until: $0) }
    }

    static func setPrecision(_ fields: inout Fields) -> GroupCommand? {
        let (group, precision) = (fields.group(), fields.precision())
        guard let group, let precision else { return nil }
        return .setPrecision(group, precision)
    }

    static func rename(_ fields: inout Fields) -> GroupCommand? {
        let (group, name) = (fields.group(), fields.displayName("name"))
        guard let group, let name else { return nil }
        return .rename(group, name: name)
    }

    static func createObserver(_ fields: inout Fields) -> GroupCommand? {
        let (group, name) = (fields.group(), fields.displayName("name"))
        guard let group, let name else { return nil }
        return .createObserver(group, name: name)
    }

    static func endObserver(_ fields: inout Fields) -> GroupCommand? {
        let (group, observer) = (fields.group(), fields.uuid("observer"))
        guard let group, let observer else { return nil }
        return .endObserver(group, observer)
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
    mutating func precision() -> Precision? {
        guard let text = string("precision") else { return nil }
        let precision = Precision(rawValue: text)
        if precision == nil {
            let words = Precision.allCases.map(\.rawValue).joined(separator: ", ")
            refuse("precision", "must be one of \(words)")
        }
        return precision
    }

    fileprivate mutating func checkEnd(_ end: Timestamp?, at now: Timestamp) {
        guard let end else { return }
        if end < now + GroupCommand.shortestShare || end > now + GroupCommand.longestShare {
            refuse("until", "must lie a minute to 30 days in the future")
        }
    }

    mutating func groups() -> GroupSelection? {
        switch self["groups"] {
        case nil:
            refuse("groups", "is missing")
        case .string("all"):
            return .all
        case .array(let elements) where !elements.isEmpty:
            return groupKeys(elements).map { .some($0) }
        default:
            refuse("groups", "must be \"all\" or a list of group ids")
        }
        return nil
    }

    /// - Returns: each once; nil if they were refused.
    mutating func groupKeys(_ elements: [JSONValue]) -> [GroupKey]? {
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
        return keys
    }
}
