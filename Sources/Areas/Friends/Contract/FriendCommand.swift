internal import JSON
public import Tracking

/// A device's requests about friends, and about who sees its owner.
public enum FriendCommand: AreaCommand {
    case add(Name)
    case remove(Name)
    /// The entries after this name.
    case list(Listing, after: Name?)
    /// With a position confirmed or corrected by the person.
    case share(with: Selection, Fix?)
    case unshare(with: Selection)
    /// `isStoring`: whether later positions are stored; nil to leave that unchanged.
    case turnLocationOff(isStoring: Bool?)
    /// Within the radius in metres of the given position, or of the person's newest.
    case nearby(radius: Double, Fix?)
    case block(Name)
    case unblock(Name)
    case watchers(WatcherCursor?)

    /// The available lists.
    public enum Listing: String, Sendable, CaseIterable {
        case friends
        /// The people who share their location with the user, on the list or not.
        case sharers
        case blocked
    }

    /// The selected friends on the list.
    public enum Selection: Sendable {
        case all
        /// At least one, without duplicates, in the order given.
        case some([Name])
    }

    public static let maximumFriends = 500
    /// Metres; the upper bound is half the earth's circumference.
    public static let radiusRange = 1.0...20_004_000.0
}

/// The beginning of the next page of `sharing.list`. Opaque to clients.
public enum WatcherCursor: Hashable, Sendable {
    /// Friends after this one.
    case friends(after: Name)
    /// The groups from this one on, and this one's members after this user.
    case group(GroupID, after: UserID)

    /// Nil for anything but the result of ``text``.
    init?(_ text: String) {
        guard text.utf8.count <= WatcherCursor.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { Int64($0) }
        let cursor: WatcherCursor?
        switch (parts.first, parts.count) {
        case ("f", 2): cursor = Name(parts[1]).map { .friends(after: $0) }
        case ("g", 3) where numbers.count == 2:
            cursor = .group(GroupID(rawValue: numbers[0]), after: UserID(rawValue: numbers[1]))
        default: cursor = nil
        }
        guard let cursor, cursor.text == text else { return nil }
        self = cursor
    }

    public var text: String {
        switch self {
        case .friends(let name): "f.\(name)"
        case .group(let group, let user): "g.\(group.rawValue).\(user.rawValue)"
        }
    }

    /// Bytes: more than a name or two numbers need.
    private static let maximumLength = 64
}

extension Kind where Value == WatcherCursor {
    static let watcher = Kind.text(orRefuse: "was not issued by this service") {
        WatcherCursor($0)
    }
}

extension Kind where Value == FriendCommand.Selection {
    /// `"all"`, or at most ``FriendCommand/maximumFriends`` names, each once.
    static let friends = Kind(.either([.choice(["all"]), .array(of: .text(.name))])) {
        value, field, fields, _ in
        switch value {
        case .string("all"): return .all
        case .array(let elements) where !elements.isEmpty:
            return fields.friends(elements, field).map { .some($0) }
        default:
            fields.refuse(field, "must be \"all\" or a list of user names")
            return nil
        }
    }
}

extension Fields {
    fileprivate mutating func friends(_ elements: [JSONValue], _ field: String) -> [Name]? {
        guard elements.count <= FriendCommand.maximumFriends else {
            refuse(field, "must have at most \(FriendCommand.maximumFriends) names")
            return nil
        }
        var names: [Name] = []
        var known: Set<Name> = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let name = Name(text) else {
                refuse("\(field)[\(index)]", "is not a user name")
                continue
            }
            if known.insert(name).inserted { names.append(name) }
        }
        return names.isEmpty ? nil : names
    }
}

extension Kind where Value == Fix {
    /// A Fix whose time defaults to the server's.
    static let fix = Kind(.payload("Fix")) { value, field, fields, circumstances in
        do throws(Problem) {
            return try Fix(
                value, receivedAt: circumstances.now, prefix: "\(field).",
                usualTime: circumstances.now, circumstances.limits)
        } catch {
            if error.errors.isEmpty {
                fields.refuse("\(field).timestamp", "is older than the service keeps fixes")
            }
            for part in error.errors { fields.refuse(part.field, part.reason) }
            return nil
        }
    }
}
