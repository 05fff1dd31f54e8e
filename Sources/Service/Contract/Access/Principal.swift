public import Tracking

/// The identity of a client, as the gate has established it.
public enum Principal: Hashable, Sendable {
    /// An anonymous client, known only by its client id.
    case guest(ClientID)
    case device(Name, of: Name)
    case service(Name)
    /// A person without an account who has a link that shows where a user is.
    case viewer(of: UUIDv7)
    /// A program with a group's view.
    case observer(UUIDv7)
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

/// A holder of stored rights.
public enum RightsHolder: Hashable, Sendable {
    case user(Name)
    /// A link, for anyone who has it.
    case share(UUIDv7)
    case observer(UUIDv7)
}

extension Principal {
    /// The holder of its rights; nil if these never end.
    public var holder: RightsHolder? {
        switch self {
        case .device(_, let user): .user(user)
        case .service(let service): .user(service)
        case .viewer(let share): .share(share)
        case .observer(let observer): .observer(observer)
        case .guest, .system: nil
        }
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
