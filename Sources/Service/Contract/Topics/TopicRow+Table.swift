extension TopicRow {
    /// All rows. If several match a topic or a filter, each is checked for a filter, and the first
    /// one decides about a topic.
    public static let all: [TopicRow] =
        devices + guests + programs + operators + Area.all.flatMap(\.topics) + system + barriers

    private static let device = "{root}/users/{user}/devices/{device}/"

    /// All clients may receive their own publications, so that the filter `…/{device}/#` can be
    /// granted.
    private static let devices = [
        TopicRow(
            .fix, device + "fix", from: [.thatDevice], to: [.thatDevice, .bridge],
            heardIn: .stream, "Fix, or an array of at most 1000"),
        // The bridge clears a deleted user's retained messages.
        TopicRow(
            .status, device + "status", from: [.thatDevice, .bridge], to: [.thatDevice, .bridge],
            heardIn: .stream, retained: .byWriters,
            "`online`, `offline` (set `offline` as the last will)"),
        TopicRow(
            .request, device + "requests/{method}", from: [.thatDevice],
            to: [.thatDevice, .bridge], heardIn: .requests, "request"),
        TopicRow(.replies, device + "replies/[…]", from: [.bridge], to: [.thatDevice], "reply"),
        TopicRow(
            .rejected, device + "rejected", from: [.bridge], to: [.thatDevice],
            "what was rejected and why"),
        TopicRow(
            .stored, device + "stored", from: [.bridge], to: [.thatDevice],
            #"receipt: `{seq,beyond?}`"#),
    ]

    private static let guests = [
        TopicRow(
            .guestRequest, "{root}/guests/{clientId}/requests/{method}", from: [.thatGuest],
            to: [.thatGuest, .bridge], heardIn: .requests,
            "request of a client that is not logged in, at most 4096 bytes"),
        TopicRow(
            .guestReplies, "{root}/guests/{clientId}/replies/[…]", from: [.bridge],
            to: [.thatGuest], "reply"),
    ]

    /// The topics of services; the topics that they receive belong to the area.
    private static let programs = [
        TopicRow(
            .serviceRequest, "{root}/services/{service}/requests/{method}", from: [.thatService],
            to: [.thatService, .bridge], heardIn: .requests, "request"),
        TopicRow(
            .serviceReplies, "{root}/services/{service}/replies/[…]", from: [.bridge],
            to: [.thatService], "reply"),
    ]

    /// Not below `system`, which the monitoring account may read as a whole.
    private static let operators = [
        TopicRow(
            .operatorRequest, "{root}/operator/requests/{method}", from: [.operator],
            to: [.operator, .bridge], heardIn: .requests, "request"),
        TopicRow(
            .operatorReplies, "{root}/operator/replies/[…]", from: [.bridge], to: [.operator],
            "reply"),
    ]

    private static let system = [
        TopicRow(
            .systemStatus, "{root}/system/status", from: [.bridge],
            to: [.operator, .metrics, .bridge], retained: .announced,
            #"`{"status":"online","version":…}`: see below"#),
        TopicRow(
            .metric, "{root}/system/metrics/{name}", from: [.bridge],
            to: [.operator, .metrics, .bridge], retained: .announced,
            "a number, every 10 s if it has changed"),
        // Published only by the broker itself.
        TopicRow(.brokerFigure, "$SYS/broker/[…]", from: [], to: [.operator]),
        // Connection reports; published by the gate.
        TopicRow(
            .connections, "{root}/bridge/connections", from: [], to: [.bridge], heardIn: .stream),
        TopicRow(.marker, "{root}/bridge/marker", from: [.bridge], to: [.bridge]),
        // The bridge asks here whether the gate has a change of rights. Nobody receives it.
        TopicRow(.rightsCheck, "{root}/bridge/rights", from: [.bridge], to: [.bridge]),
    ]

    /// The gate sends a barrier behind devices' messages; the bridge returns it on the other topic
    /// once everything that it received before it is on disk. Not among its inputs: an earlier
    /// version's gate refuses the subscription.
    private static let barriers = Lane.allCases.flatMap { lane in
        [
            TopicRow(
                lane.barrier, "{root}/bridge/barriers/\(lane.rawValue)", from: [], to: [.bridge]),
            TopicRow(
                lane.committed, "{root}/bridge/committed/\(lane.rawValue)", from: [.bridge],
                to: [.bridge]),
        ]
    }
}
