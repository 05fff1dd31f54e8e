/// A row of the table of topics: what may be published on a topic, by whom and for whom, and what
/// becomes of it.
///
/// From it follow how topics are printed, the bridge's subscriptions, the gate's decisions, what is
/// retained and cleared, the reference's tables and what the page knows. There is no other list of
/// topics. How a topic is read follows from it, too, if its kind is a ``Topic/ListedKind``; for the
/// rest the parser (``TopicSpace/parse(_:)``) is written by hand, and a test compares it with the
/// table.
public struct TopicRow: Sendable {
    public let kind: Topic.Kind
    /// Levels, with `{…}` for names; `{root}` is the root of the installation.
    public let pattern: String
    public let readers: [Party]
    public let writers: [Party]
    /// The lane on which the bridge receives it; nil for what the bridge itself publishes.
    public let lane: Lane?
    public let retention: Retention
    /// Whether the broker's plugin encrypts the payload for the bridge before the broker keeps it.
    public let isSealed: Bool
    /// The payload, for the reference; nil for topics that do not concern clients.
    public let payload: String?

    /// The readers and writers of a row, relative to the names in the topic.
    public enum Party: String, Hashable, Sendable, CaseIterable {
        case thatDevice = "that device"
        case thatUser = "that user"
        case friendsInSight = "friends it is shared with"
        case members = "members"
        /// Programs to which a member has given a token.
        case observers = "observers"
        case thatGuest = "that guest"
        case viewers = "who has the link"
        case thatService = "that service"
        /// Each delivery is decided by itself.
        case subscribedService = "that service, of users who agree and whom it has subscribed to"
        case `operator` = "operator"
        case dispatch = "dispatch centre"
        case metrics = "who watches"
        /// Guests, too, but each run by itself.
        case anyone = "anyone"
        /// Whoever is logged in, each place by itself.
        case anyUser = "any user"
        case bridge = "bridge"
    }

    /// The bridge's connection on which a topic is received: requests, which await an answer, do not
    /// queue behind fixes and vital signs.
    public enum Lane: Sendable, CaseIterable {
        case requests
        /// They may call for help, and so do not queue behind fixes.
        case vitals
        case stream
    }

    /// What the broker retains of a topic.
    public enum Retention: Sendable {
        case none
        /// What its writers retain, for as long as they like.
        case byWriters
        /// What the bridge retains, and compares after each connection with what it should be.
        case compared
        /// What the bridge publishes anew whenever it has connected.
        case announced
        /// Nothing: the flag is removed from what apps publish, which always set it. The bridge
        /// clears what was retained there earlier.
        case takenOff
        /// Nothing: the bridge clears whatever it finds there.
        case cleared
    }

    init(
        _ kind: Topic.ParsedKind, _ pattern: String, from writers: [Party], to readers: [Party],
        heardIn lane: Lane? = nil, retained retention: Retention = .none,
        _ payload: String? = nil
    ) {
        self.init(
            kind: .parsed(kind), pattern, from: writers, to: readers, heardIn: lane,
            retained: retention, payload)
    }

    init(
        _ kind: Topic.ListedKind, _ pattern: String, from writers: [Party], to readers: [Party],
        heardIn lane: Lane? = nil, retained retention: Retention = .none, isSealed: Bool = false,
        _ payload: String? = nil
    ) {
        self.init(
            kind: .listed(kind), pattern, from: writers, to: readers, heardIn: lane,
            retained: retention, isSealed: isSealed, payload)
    }

    private init(
        kind: Topic.Kind, _ pattern: String, from writers: [Party], to readers: [Party],
        heardIn lane: Lane?, retained retention: Retention, isSealed: Bool = false,
        _ payload: String?
    ) {
        self.kind = kind
        self.pattern = pattern
        self.readers = readers
        self.writers = writers
        self.lane = lane
        self.retention = retention
        self.isSealed = isSealed
        self.payload = payload
    }

    /// The writers who may set the retain flag.
    public var retainers: [Party] {
        switch retention {
        case .none: []
        case .byWriters: writers
        case .compared, .announced, .takenOff, .cleared: [.bridge]
        }
    }

    /// Whether the bridge checks, after each connection, what is retained there.
    public var isCompared: Bool {
        switch retention {
        case .compared, .takenOff, .cleared: true
        case .none, .byWriters, .announced: false
        }
    }
}
