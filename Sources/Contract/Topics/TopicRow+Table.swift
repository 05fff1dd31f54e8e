extension TopicRow {
    /// All rows. If several match a topic or a filter, each is checked for a filter, and the first
    /// one decides about a topic.
    public static let all: [TopicRow] =
        devices + guests + programs + operators + Area.all.flatMap(\.topics) + system

    private static let device = "{root}/users/{user}/devices/{device}/"

    /// Everybody may receive what they publish themselves, so that the filter `…/{device}/#` can be
    /// granted.
    private static let devices = [
        TopicRow(
            .fix, device + "fix", from: [.thatDevice], to: [.thatDevice, .bridge],
            heardIn: .stream, "Fix, or an array of at most 1000"),
        // The bridge clears what is retained of a deleted user.
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
            "what was refused and why"),
        TopicRow(
            .stored, device + "stored", from: [.bridge], to: [.thatDevice],
            #"receipt: `{seq,beyond?}`"#),
    ]

    private static let guests = [
        TopicRow(
            .guestRequest, "{root}/guests/{clientId}/requests/{method}", from: [.thatGuest],
            to: [.thatGuest, .bridge], heardIn: .requests,
            "request of somebody who is not logged in, at most 4096 bytes"),
        TopicRow(
            .guestReplies, "{root}/guests/{clientId}/replies/[…]", from: [.bridge],
            to: [.thatGuest], "reply"),
    ]

    /// Of services; what they receive is the area's.
    private static let programs = [
        TopicRow(
            .serviceRequest, "{root}/services/{service}/requests/{method}", from: [.thatService],
            to: [.thatService, .bridge], heardIn: .requests, "request"),
        TopicRow(
            .serviceReplies, "{root}/services/{service}/replies/[…]", from: [.bridge],
            to: [.thatService], "reply"),
    ]

    /// Not below `system`, which who watches may read as a whole.
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
            "a number, when it has changed, every 10 s"),
        // Published only by the broker itself.
        TopicRow(.brokerFigure, "$SYS/broker/[…]", from: [], to: [.operator]),
        // Who is connected; published by the gate.
        TopicRow(
            .connections, "{root}/bridge/connections", from: [], to: [.bridge], heardIn: .stream),
        TopicRow(.marker, "{root}/bridge/marker", from: [.bridge], to: [.bridge]),
    ]
}
