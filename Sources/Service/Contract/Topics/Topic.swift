/// Every topic of the contract (section 3) that this version serves.
public enum Topic: Hashable, Sendable {
    case fix(Name, device: Name)
    case status(Name, device: Name)
    case request(Name, device: Name, method: String)
    /// `suffix` is the part that a client added below `…/replies`, with its slash, or empty.
    case replies(Name, device: Name, suffix: String)
    case rejected(Name, device: Name)
    case stored(Name, device: Name)
    case userGroups(Name)
    case notices(Name)
    case location(Name)

    case group(GroupKey)
    case member(GroupKey, Name)
    case path(GroupKey, Name, segment: Int)
    case alerts(GroupKey)

    case guestRequest(ClientID, method: String)
    /// `suffix` as in ``replies``.
    case guestReplies(ClientID, suffix: String)

    case serviceRequest(Name, method: String)
    /// `suffix` as in ``replies``.
    case serviceReplies(Name, suffix: String)

    /// The operator's.
    case operatorRequest(method: String)
    /// `suffix` as in ``replies``.
    case operatorReplies(suffix: String)

    case systemStatus
    /// Connection reports from the gate to the bridge.
    case connections
    case metric(String)
    /// One of the broker's own topics, with the leading slash.
    case brokerFigure(String)
    /// The topic on which the bridge sends itself a message, to know that it has received
    /// everything sent earlier.
    case marker

    /// Published by a phone; `suffix` is `event`, `waypoint` and so on, or empty.
    case ownTracks(Name, device: Name, suffix: String)
    /// A member's data shown on a phone; `suffix` is `info`, `event` or empty.
    case ownTracksMember(viewer: Name, Name, suffix: String)

    /// A topic fully described by its row, such as an area's own topics.
    ///
    /// Indirect, since its names would make every topic larger.
    indirect case listed(ListedKind, TopicPattern.Bindings)

    /// A kind of topic without its own case: its row's pattern defines printing and parsing. For
    /// topics that are not used for every fix.
    public struct ListedKind: Hashable, Sendable {
        let name: String

        /// - Parameter name: the name in the page.
        public init(_ name: String) { self.name = name }
    }
}

extension Topic.ListedKind {
    static let rightsCheck = Topic.ListedKind("rights-check")
}

extension TopicRow.Lane {
    var barrier: Topic.ListedKind { Topic.ListedKind("barrier-\(rawValue)") }
    var committed: Topic.ListedKind { Topic.ListedKind("committed-\(rawValue)") }

    static let byCommittedKind = Dictionary(
        allCases.map { (Topic.Kind.listed($0.committed), $0) },
        uniquingKeysWith: { first, _ in first })
}
