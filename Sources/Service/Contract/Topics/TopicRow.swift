/// A row of the topic table: a topic's payload, writers and readers, and the handling of its
/// messages.
///
/// Topic printing, the bridge's subscriptions, the gate's decisions, retaining and clearing, the
/// reference's tables and the page's topics are derived from it. There is no other list of topics.
/// Topic parsing is also derived from it if the kind is a ``Topic/ListedKind``; for the rest the
/// parser (``TopicSpace/parse(_:)``) is written by hand, and a test compares it with the table.
public struct TopicRow: Sendable {
    public let kind: Topic.Kind
    /// Levels, with `{…}` for names; `{root}` is the root of the installation.
    public let pattern: String
    public let readers: [Party]
    public let writers: [Party]
    /// The lane on which the bridge receives it; nil for the bridge's own publications.
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
        case viewers = "anyone with the link"
        case thatService = "that service"
        /// Each delivery is decided separately.
        case subscribedService = "that service, for users who agree and to whom it has subscribed"
        case `operator` = "operator"
        case dispatch = "dispatch centre"
        case metrics = "monitoring account"
        /// Also guests, but each run separately.
        case anyone = "anyone"
        /// All logged-in users, each place separately.
        case anyUser = "any user"
        case bridge = "bridge"
    }

    /// The bridge's connection for receiving a topic: requests, which await an answer, do not queue
    /// behind fixes and vital signs.
    public enum Lane: String, Sendable, CaseIterable {
        case requests
        /// They may call for help, and so do not queue behind fixes.
        case vitals
        case stream
    }

    /// The broker's retained messages of a topic.
    public enum Retention: Sendable {
        case none
        /// Messages retained by the writers, for any time.
        case byWriters
        /// Messages retained by the bridge, which checks them after each connection.
        case compared
        /// Messages that the bridge republishes whenever it has connected.
        case announced
        /// None: the flag is removed from messages of apps, which always set it. The bridge clears
        /// messages retained there earlier.
        case takenOff
        /// None: the bridge clears any retained message there.
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

    /// Whether the bridge checks the retained messages there after each connection.
    public var isCompared: Bool {
        switch retention {
        case .compared, .takenOff, .cleared: true
        case .none, .byWriters, .announced: false
        }
    }
}
