/// A row of the table of topics: what may be said where, to whom, and what becomes of it.
///
/// Printing, the bridge's subscriptions, the gate's decisions, what is retained and cleared, the
/// reference's tables and what the page knows follow from it. No other list of topics is kept; the
/// parser (``TopicSpace/parse(_:)``) is written by hand, for its speed, and a test compares it.
public struct TopicRow: Sendable {
    public let kind: Topic.Kind
    /// Levels, with `{…}` for names; `{root}` is the root of the installation.
    public let pattern: String
    public let readers: [Party]
    public let writers: [Party]
    /// How the bridge hears it; nil for what it says itself.
    public let lane: Lane?
    public let retention: Retention
    /// For the reference; nil for what is no client's business.
    public let payload: String?

    /// Who a row speaks of, seen from the names in the topic.
    public enum Party: String, Hashable, Sendable, CaseIterable {
        case thatDevice = "that device"
        case thatUser = "that user"
        case friendsInSight = "friends it is shared with"
        case members = "members"
        case thatGuest = "that guest"
        case `operator` = "operator"
        case bridge = "bridge"
    }

    /// The connection of the bridge that hears it: two lanes, so that nothing somebody waits for
    /// an answer to waits behind fixes.
    public enum Lane: Sendable {
        case requests
        case stream
    }

    /// What of it the broker keeps for those who come later.
    public enum Retention: Sendable {
        case none
        /// What its writers say, for as long as they like.
        case byWriters
        /// What the bridge says, and compares with what it should be after each connection.
        case compared
        /// What the bridge says anew whenever it has connected.
        case announced
        /// Nothing: the flag is taken off what apps publish, which set it always. What was
        /// retained there before the bridge takes away.
        case takenOff
        /// Nothing: whatever is found there the bridge takes away.
        case cleared
    }

    init(
        _ kind: Topic.Kind, _ pattern: String, from writers: [Party], to readers: [Party],
        heardIn lane: Lane? = nil, retained retention: Retention = .none,
        _ payload: String? = nil
    ) {
        self.kind = kind
        self.pattern = pattern
        self.readers = readers
        self.writers = writers
        self.lane = lane
        self.retention = retention
        self.payload = payload
    }

    /// Who of the writers may set the retain flag.
    public var retainers: [Party] {
        switch retention {
        case .none: []
        case .byWriters: writers
        case .compared, .announced, .takenOff, .cleared: [.bridge]
        }
    }

    /// Whether the bridge looks after each connection at what is retained there.
    public var isCompared: Bool {
        switch retention {
        case .compared, .takenOff, .cleared: true
        case .none, .byWriters, .announced: false
        }
    }
}
