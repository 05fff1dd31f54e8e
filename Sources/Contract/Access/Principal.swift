/// Who connects, as the gate has established it.
public enum Principal: Hashable, Sendable {
    /// Nobody in particular, known by the client id alone.
    case guest(ClientID)
    case device(Name, of: Name)
    case service(Name)
    case system(System)

    /// What runs the installation.
    public enum System: String, Hashable, Sendable, CaseIterable {
        case bridge = "kith:bridge"
        case `operator` = "kith:operator"
        case dispatch = "kith:dispatch"
    }
}

/// Whose messages somebody may receive for as long as they are a member, or a friend: what can
/// wait for them at the broker and be theirs no more.
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

/// What decides, besides the name, about a principal's rights, as the database has it now.
public struct AccessFacts: Hashable, Sendable {
    /// The groups that a user is a member of.
    public var groups: Set<GroupKey>
    /// Who shares their location with a user as a friend.
    public var friendsInSight: Set<Name>

    public init(groups: Set<GroupKey> = [], friendsInSight: Set<Name> = []) {
        self.groups = groups
        self.friendsInSight = friendsInSight
    }

    public var sources: AccessSources { AccessSources(groups: groups, friends: friendsInSight) }
}
