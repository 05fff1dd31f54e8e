/// One group's view of one user.
public struct Session: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// Not shared. The group keeps the last position that it saw.
        indirect case inactive(lastKnown: Fix?)
        /// Shared live.
        case active
        /// On a journey that this group follows.
        case routing
        /// In an emergency.
        case sos

        public var name: String {
            switch self {
            case .inactive: "inactive"
            case .active: "active"
            case .routing: "routing"
            case .sos: "sos"
            }
        }

        /// Whether the group sees the position live.
        public var isShared: Bool {
            switch self {
            case .inactive: false
            case .active, .routing, .sos: true
            }
        }

        /// Whether the group is notified when the person becomes silent.
        public var isWatched: Bool {
            switch self {
            case .inactive, .active: false
            case .routing, .sos: true
            }
        }
    }

    /// The changes of the current event so far; none between events.
    enum Change: Int, Hashable, Sendable {
        case nothing
        /// Only the position.
        case position
        /// The state, the warnings or the online status: must not get lost in transit.
        case state
    }

    public let group: GroupID
    public internal(set) var state = State.inactive(lastKnown: nil)
    /// When ``state`` was entered.
    public internal(set) var since: Timestamp
    /// When the group began to see the position live; nil if it does not.
    public internal(set) var sharedSince: Timestamp?
    /// The version, incremented with every visible change.
    public internal(set) var version: Int64
    /// When sharing ends automatically; nil: when the person ends it.
    public internal(set) var until: Timestamp?
    /// The precision of the position for the group, except in an SOS.
    public internal(set) var precision = Precision.exact
    /// Whether it is shared again when the pause ends.
    package internal(set) var isPaused = false
    var change = Change.nothing

    /// - Parameter version: the version to continue from.
    init(group: GroupID, since: Timestamp, version: Int64) {
        self.group = group
        self.since = since
        self.version = version
    }

    /// Restores a stored value.
    package init(
        group: GroupID, state: State, since: Timestamp, sharedSince: Timestamp?, version: Int64,
        until: Timestamp?, precision: Precision, isPaused: Bool
    ) {
        self.init(group: group, since: since, version: version)
        self.state = state
        self.sharedSince = sharedSince
        (self.until, self.precision, self.isPaused) = (until, precision, isPaused)
    }

    mutating func note(_ change: Change) {
        if change.rawValue > self.change.rawValue { self.change = change }
    }
}
