extension MetricRow {
    /// What was full, or waits.
    static let bounds: [MetricRow] = [
        MetricRow("turns-full", .counter, "Turns that took as many messages as they may"),
        MetricRow(
            "turns-full-of-timers", .counter, "Turns with as many due timers as they may have"),
        MetricRow(
            "turns-full-of-arrivals", .counter,
            "Turns after which devices that came or went wait for the next"),
        MetricRow(
            "rounds-throttled", .counter,
            "Turns that took few messages as too many waited to go out"),
        MetricRow("publications-waiting", .gauge, "Messages for which the broker has no room"),
        MetricRow("publications-unanswered", .gauge, "Messages that the broker has not answered"),
        MetricRow("publications-impossible", .counter, "Messages that cannot be published at all"),
        MetricRow("messages-impossible", .counter, "Messages that the database does not accept"),
        MetricRow("arrivals-waiting", .gauge, "Devices that came or went, not yet handled"),
        MetricRow("outbox-unconfirmed", .gauge, "Messages that the broker has not saved yet"),
        MetricRow("outbox-put-aside", .gauge, "Messages that the broker does not accept"),
        MetricRow(
            "outbox-oldest-seconds", .gauge,
            "How long the oldest message has waited that the broker has not confirmed"),
        MetricRow("requests-waiting", .gauge, "Requests that are done later"),
        MetricRow("requests-put-off", .counter, "Requests that had to wait"),
        MetricRow("requests-refused", .counter, "Requests refused as too many waited"),
        MetricRow("replies-forgotten", .counter, "Answers forgotten before their time"),
    ]

    static let storage: [MetricRow] = [
        MetricRow("wal-bytes", .gauge, "The database's write-ahead log"),
        MetricRow("database-bytes", .gauge, "The database, without its write-ahead log"),
        MetricRow("disk-free-bytes", .gauge, "What is free on the database's disk"),
        MetricRow("disk-total-bytes", .gauge, "The size of the database's disk"),
        MetricRow("disk-low", .gauge, "1 while the disk is about to be full"),
        MetricRow(
            "disk-sparing", .gauge, "1 while the disk is full and only calls for help are stored"),
        MetricRow(
            "sweep-behind-seconds", .gauge,
            "By how much the oldest fix is older than it should be"),
        MetricRow(
            MetricName.lastBackup, .gauge,
            "When `kith backup` last succeeded, in seconds since 1970; 0 if never"),
    ]

    /// Each of the three says it of itself.
    static let processes: [MetricRow] = [
        MetricRow(
            "process-cpu-seconds-{part}", .counter, called: "process-cpu-seconds", by: ["part"],
            "Processor time, of bridge, broker and page"),
        MetricRow(
            "process-resident-memory-bytes-{part}", .gauge, called: "process-resident-memory-bytes",
            by: ["part"], "Resident memory"),
        MetricRow(
            "process-open-fds-{part}", .gauge, called: "process-open-fds", by: ["part"],
            "Open file descriptors"),
        MetricRow(
            "process-max-fds-{part}", .gauge, called: "process-max-fds", by: ["part"],
            "How many file descriptors may be open"),
    ]

    static let gate: [MetricRow] = [
        MetricRow(
            "gate-connections", .gauge, from: .gate, "Connections, of guests and the bridge as well"
        ),
        MetricRow(
            "gate-paused", .gauge, from: .gate, "Connections from which nothing is read at present"),
        MetricRow("gate-pauses", .counter, from: .gate, "How often connections were paused"),
        MetricRow(
            "gate-pauses-seconds", .counter, from: .gate,
            "For how long connections were paused, in all"),
        MetricRow(
            "gate-connections-put-off", .counter, from: .gate, "Connections that should try again"),
        MetricRow("gate-connections-refused", .counter, from: .gate, "Wrong credentials"),
        MetricRow(
            "gate-ids-refused", .counter, from: .gate, "Client ids that are invalid or another's"),
        MetricRow(
            "gate-sessions-refused", .counter, from: .gate, "Persistent sessions that were refused"),
        MetricRow("gate-messages-refused", .counter, from: .gate, "Messages that were not allowed"),
        MetricRow(
            "gate-subscriptions-refused", .counter, from: .gate,
            "Subscriptions that were not allowed"),
        MetricRow("gate-messages-large", .counter, from: .gate, "Messages refused for their size"),
        MetricRow(
            "gate-messages-not-waiting", .counter, from: .gate,
            "Messages not queued for a device that is away, because too many are"),
        MetricRow(
            "gate-messages-untaken", .counter, from: .gate,
            "Messages kept from clients that do not take packets so large"),
        MetricRow(
            "gate-rejections-untold", .counter, from: .gate, "Refusals that nobody was told about"),
        MetricRow(
            "gate-messages-cut-off", .counter, from: .gate, "Connections ended for what they sent"),
        MetricRow(
            "gate-floods-cut-off", .counter, from: .gate,
            "Connections ended for meaningless packets"),
        MetricRow(
            "gate-readers-cut-off", .counter, from: .gate,
            "Connections ended as too much waited for them"
        ),
        MetricRow("gate-guests-ended", .counter, from: .gate, "Guests who had to make room"),
        MetricRow(
            "gate-guests-put-off", .counter, from: .gate, "Guests for whom there was no room"),
        MetricRow(
            "gate-pending-ended", .counter, from: .gate,
            "Connections that never introduced themselves"),
    ]

    static let page: [MetricRow] = [
        MetricRow(
            "web-uptime-seconds", .gauge, from: .page, "How long the page has been running"),
        MetricRow("web-visitors", .gauge, from: .page, "Visitors with a connection to the broker"),
        MetricRow(
            "web-visitors-connected", .gauge, from: .page,
            "Those of them whom the broker has let in"),
        MetricRow("web-streams", .gauge, from: .page, "Readers of events"),
        MetricRow(
            "web-events-unread-bytes", .gauge, from: .page, "Bytes of events that wait for readers"),
        MetricRow("web-requests-waiting", .gauge, from: .page, "Requests that wait for an answer"),
        MetricRow("web-connections", .gauge, from: .page, "HTTP connections"),
        MetricRow("web-events", .counter, from: .page, "Events handed to readers"),
        MetricRow(
            "web-streams-too-slow", .counter, from: .page, "Readers disconnected for being too slow"
        ),
        MetricRow("web-answers", .counter, from: .page, by: ["status"], "HTTP answers"),
    ]
}
