/// Who may do what on which topic: the one table behind every decision.
public struct AccessTable: Sendable {
    /// Who a row speaks of, seen from the names in the topic.
    public enum Party: String, Hashable, Sendable {
        case thatDevice = "that device"
        case thatUser = "that user"
        case friendsInSight = "friends it is shared with"
        case anyUser = "any user"
        case members = "members"
        case thatGuest = "that guest"
        case thatService = "that service"
        case thatServiceByConsent = "that service, while consent lasts"
        case dispatch = "dispatch centre"
        case `operator` = "operator"
        case bridge = "bridge"
        case anyone = "anyone"
    }

    public struct Row: Sendable {
        public let pattern: TopicPattern
        public let readers: [Party]
        public let writers: [Party]
        /// Who of the writers may set the retain flag.
        public let retainers: [Party]
    }

    /// The first row that matches a topic decides about it.
    public let rows: [Row]

    init(root: [Substring]) {
        let inputs: [Row] = AccessTable.inputs.map { .init($0, root) }
        rows = inputs + AccessTable.outputs.map { .init($0, root) }
    }

    /// Pattern, readers, writers, and those who may retain.
    fileprivate typealias Entry = (String, [Party], [Party], [Party])

    /// To the bridge. Everybody may hear what they say themselves, so that `…/{device}/#` is a
    /// filter that can be granted.
    private static let inputs: [Entry] = [
        (device + "fix", [.thatDevice, .bridge], [.thatDevice], []),
        (device + "vitals", [.thatDevice, .bridge], [.thatDevice], []),
        // The bridge takes away what is retained of somebody who is deleted.
        (device + "status", [.thatDevice, .bridge], both, both),
        (device + "requests/{method}", [.thatDevice, .bridge], [.thatDevice], []),
        ("{root}/guests/{clientId}/requests/{method}", [.thatGuest, .bridge], [.thatGuest], []),
        ("{root}/services/{service}/requests/{method}", service, [.thatService], []),
        ("{root}/dispatch/incidents/{incident}/answer", dispatch, [.dispatch], []),
        // Phones set the flag on all that they publish: it is taken off (``AccessPolicy``).
        ("owntracks/{user}/{phone}", [.thatUser, .bridge], both, [.bridge]),
        ("owntracks/{user}/{phone}/cmd", [.thatUser, .bridge], [.bridge], [.bridge]),
        ("owntracks/{user}/{phone}/{suffix}", [.thatUser, .bridge], both, [.bridge]),
    ]

    private static let device = "{root}/users/{user}/devices/{device}/"
    private static let both: [Party] = [.thatDevice, .bridge]
    private static let service: [Party] = [.thatService, .bridge]
    private static let dispatch: [Party] = [.dispatch, .bridge]

    /// From the bridge, which reads back what is retained.
    private static let outputs: [Entry] = [
        (device + "replies/[…]", [.thatDevice], [.bridge], []),
        (device + "rejected", [.thatDevice], [.bridge], []),
        (device + "stored", [.thatDevice], [.bridge], []),
        ("{root}/users/{user}/groups", [.thatUser, .bridge], [.bridge], [.bridge]),
        ("{root}/users/{user}/notices", [.thatUser], [.bridge], []),
        (
            "{root}/users/{user}/location", [.thatUser, .friendsInSight, .bridge], [.bridge],
            [.bridge]
        ),
        ("owntracks/{user}/@{member}", [.thatUser, .bridge], [.bridge], [.bridge]),
        ("owntracks/{user}/@{member}/{suffix}", [.thatUser, .bridge], [.bridge], [.bridge]),
        ("{root}/groups/{group}", [.members, .bridge], [.bridge], [.bridge]),
        ("{root}/groups/{group}/members/{user}", [.members, .bridge], [.bridge], [.bridge]),
        (
            "{root}/groups/{group}/members/{user}/path/{n}", [.members, .bridge], [.bridge],
            [.bridge]
        ),
        ("{root}/groups/{group}/alerts", [.members, .bridge], [.bridge], []),
        ("{root}/groups/{group}/chat", [.members, .bridge], [.bridge], []),
        ("{root}/guests/{clientId}/replies/[…]", [.thatGuest], [.bridge], []),
        ("{root}/services/{service}/replies/[…]", [.thatService], [.bridge], []),
        (
            "{root}/services/{service}/users/{user}/samples", [.thatServiceByConsent],
            [.bridge], []
        ),
        ("{root}/services/{service}/cohorts/{cohort}", service, [.bridge], [.bridge]),
        ("{root}/services/{service}/notices", [.thatService], [.bridge], []),
        ("{root}/dispatch/incidents/{incident}", dispatch, [.bridge], [.bridge]),
        ("{root}/runs/{run}", [.anyone], [.bridge], [.bridge]),
        ("{root}/runs/{run}/runners/{user}", [.anyone], [.bridge], [.bridge]),
        ("{root}/runs/{run}/standings", [.anyone], [.bridge], [.bridge]),
        ("{root}/places/{place}", [.anyUser, .bridge], [.bridge], [.bridge]),
        ("{root}/system/status", [.operator, .bridge], [.bridge], [.bridge]),
        ("{root}/system/metrics/{name}", [.operator, .bridge], [.bridge], [.bridge]),
        // The broker's own figures, by nobody's hand.
        ("$SYS/broker/[…]", [.operator], [], []),
        // Of the gate and the bridge alone.
        ("{root}/bridge/connections", [.bridge], [], []),
        ("{root}/bridge/marker", [.bridge], [.bridge], []),
    ]
}

extension AccessTable.Row {
    fileprivate init(_ entry: AccessTable.Entry, _ root: [Substring]) {
        pattern = TopicPattern(entry.0, root: root)
        (readers, writers, retainers) = (entry.1, entry.2, entry.3)
    }
}
