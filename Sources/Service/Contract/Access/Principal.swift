public import Tracking

/// The identity of a client, as the gate has established it.
public enum Principal: Hashable, Sendable {
    /// An anonymous client, known only by its client id.
    case guest(ClientID)
    case device(Name, of: Name)
    case service(Name)
    /// Anyone with a grant's token.
    case bearer(Grant)
    case system(System)

    /// The programs and people that run the installation.
    public enum System: String, Hashable, Sendable, CaseIterable {
        case bridge = "kith:bridge"
        case `operator` = "kith:operator"
        case dispatch = "kith:dispatch"
        /// The external monitoring account: reads only the status and the metrics.
        case metrics = "kith:metrics"

        /// The prefix of their names.
        public static let beginning = "kith:"

        /// The system principal with this name; nil for other names.
        ///
        /// Compared byte by byte, since strangers' names may have any length: a Unicode comparison
        /// takes seconds for a sequence of tens of thousands of combining marks.
        public init?(username: some StringProtocol) {
            let found = System.allCases.first { $0.rawValue.utf8.elementsEqual(username.utf8) }
            guard let found else { return nil }
            self = found
        }
    }
}

/// Something that a person lets others see by a token, until it ends.
public struct Grant: Hashable, Sendable {
    // In this order it needs no padding, of which each connected user would take some.
    public let id: UUIDv7
    public let kind: Kind

    public enum Kind: Sendable, CaseIterable {
        /// A link that shows where a user is, to people without an account.
        case share
        /// A program with a group's view.
        case observer
    }

    public init(_ kind: Kind, _ id: UUIDv7) { (self.kind, self.id) = (kind, id) }

    /// By the id, which no two grants share: the gate looks grants up for each message.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A holder of stored rights.
public enum RightsHolder: Hashable, Sendable {
    case user(Name)
    /// Its bearers together.
    case grant(Grant)
}

extension Principal {
    /// The holder of its rights; nil if these never end.
    public var holder: RightsHolder? {
        switch self {
        case .device(_, let user), .service(let user): .user(user)
        case .bearer(let grant): .grant(grant)
        case .guest, .system: nil
        }
    }

    /// The username with which it connects; empty for guests, who have none.
    public var username: String {
        switch self {
        case .guest: ""
        case .device(_, let user): user.text
        case .service(let service): PrincipalRow.service.prefix + service.text
        case .bearer(let grant): grant.kind.row.prefix + grant.id.description
        case .system(let system): system.rawValue
        }
    }

    /// The principal with this ``username``, which names no device of a user. Nil for anything not
    /// written exactly like it.
    public init?(username: String) {
        if let system = System(username: username) {
            self = .system(system)
        } else if let rest = Principal.rest(of: username, after: PrincipalRow.service.prefix) {
            guard let service = Name(rest) else { return nil }
            self = .service(service)
        } else {
            for kind in Grant.Kind.allCases {
                guard let rest = Principal.rest(of: username, after: kind.row.prefix)
                else { continue }
                guard let id = UUIDv7(String(rest)), id.description.utf8.elementsEqual(rest.utf8)
                else { return nil }
                self = .bearer(Grant(kind, id))
                return
            }
            return nil
        }
    }

    /// Compared byte by byte, as in ``System/init(username:)``.
    private static func rest(of username: String, after prefix: String) -> Substring? {
        guard username.utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(username.utf8.dropFirst(prefix.utf8.count))
    }
}

/// The groups and friends whose messages a user may receive only while they are a member or a
/// friend. Messages from them may still be queued at the broker after that right has ended.
public struct AccessSources: Hashable, Sendable {
    public var groups: Set<GroupKey>
    public var friends: Set<Name>

    public init(groups: Set<GroupKey> = [], friends: Set<Name> = []) {
        self.groups = groups
        self.friends = friends
    }

    public func union(_ other: AccessSources) -> AccessSources {
        AccessSources(
            groups: groups.union(other.groups), friends: friends.union(other.friends))
    }

    public func intersection(_ other: AccessSources) -> AccessSources {
        AccessSources(
            groups: groups.intersection(other.groups),
            friends: friends.intersection(other.friends))
    }

    public func isSubset(of other: AccessSources) -> Bool {
        groups.isSubset(of: other.groups) && friends.isSubset(of: other.friends)
    }
}

/// The facts, besides the name, that decide a principal's rights, as currently in the database.
public struct AccessFacts: Hashable, Sendable {
    /// The groups that the user is a member of, or the one that an observer sees.
    public var groups: Set<GroupKey>
    /// The friends who share their location with the user.
    public var friendsInSight: Set<Name>
    /// The services that receive the samples of the user's devices, as long as the user agrees.
    public var services: Set<Name>
    /// Users whose samples a service receives, as far as queried.
    public var subscribedUsers: Set<Name> = []

    public init(
        groups: Set<GroupKey> = [], friendsInSight: Set<Name> = [], services: Set<Name> = []
    ) {
        self.groups = groups
        self.friendsInSight = friendsInSight
        self.services = services
    }

    public var sources: AccessSources { AccessSources(groups: groups, friends: friendsInSight) }
}
