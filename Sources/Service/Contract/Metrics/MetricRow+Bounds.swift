extension MetricRow {
    /// Full buffers, and waiting work.
    static let bounds: [MetricRow] = [
        MetricRow("turns-full", .counter, "Turns that reached the message limit"),
        MetricRow(
            "turns-full-of-timers", .counter, "Turns that reached the timer limit"),
        MetricRow(
            "turns-full-of-arrivals", .counter,
            "Turns that left connects or disconnects to the next"),
        MetricRow(
            "rounds-throttled", .counter,
            "Turns that took few messages because too many waited to be sent"),
        MetricRow("publications-waiting", .gauge, "Messages waiting for room in the broker"),
        MetricRow("publications-unanswered", .gauge, "Messages the broker has not answered"),
        MetricRow("brokers-connected", .gauge, "Brokers the bridge is connected to"),
        MetricRow("publications-impossible", .counter, "Messages that cannot be published at all"),
        MetricRow("messages-impossible", .counter, "Messages the database does not accept"),
        MetricRow("arrivals-waiting", .gauge, "Connects and disconnects not yet handled"),
        MetricRow("outbox-unconfirmed", .gauge, "Messages the broker has not saved yet"),
        MetricRow("outbox-put-aside", .gauge, "Messages the broker does not accept"),
        MetricRow(
            "outbox-oldest-seconds", .gauge,
            "How long the oldest message has waited for the broker's confirmation"),
        MetricRow("requests-waiting", .gauge, "Deferred requests"),
        MetricRow("requests-put-off", .counter, "Requests that had to wait"),
        MetricRow("requests-refused", .counter, "Requests rejected because too many waited"),
        MetricRow("replies-forgotten", .counter, "Stored answers evicted early"),
    ]

    static let storage: [MetricRow] = [
        MetricRow("wal-bytes", .gauge, "The database's write-ahead log"),
        MetricRow("database-bytes", .gauge, "The database, without its write-ahead log"),
        MetricRow("disk-free-bytes", .gauge, "Free space on the database's disk"),
        MetricRow("disk-total-bytes", .gauge, "The size of the database's disk"),
        MetricRow("disk-low", .gauge, "1 while the disk is almost full"),
        MetricRow(
            "disk-sparing", .gauge, "1 while the disk is full and only calls for help are stored"),
        MetricRow(
            "sweep-behind-seconds", .gauge,
            "By how much the oldest fix exceeds its retention"),
        MetricRow(
            MetricName.lastBackup, .gauge,
            "When `kith backup` last succeeded, in seconds since 1970; 0 if never"),
    ]

    /// Process metrics, reported by each of the three.
    static let processes: [MetricRow] = [
        MetricRow(
            "process-cpu-seconds-{part}", .counter, called: "process-cpu-seconds", by: ["part"],
            "CPU time of bridge, broker and page"),
        MetricRow(
            "process-resident-memory-bytes-{part}", .gauge, called: "process-resident-memory-bytes",
            by: ["part"], "Resident memory"),
        MetricRow(
            "process-open-fds-{part}", .gauge, called: "process-open-fds", by: ["part"],
            "Open file descriptors"),
        MetricRow(
            "process-max-fds-{part}", .gauge, called: "process-max-fds", by: ["part"],
            "Maximum number of open file descriptors"),
    ]

    static let gate: [MetricRow] = [
        MetricRow(
            "gate-connections", .gauge, from: .gate, "Connections, including guests and the bridge"
        ),
        MetricRow(
            "gate-paused", .gauge, from: .gate, "Connections currently not being read"),
        MetricRow(
            "gate-held", .gauge, from: .gate,
            "Connections whose acknowledgements wait for the bridge's commit"),
        MetricRow(
            "gate-holds-ended", .counter, from: .gate,
            "Holds ended without a commit, as the bridge was away or behind"),
        MetricRow(
            "gate-unheld", .counter, from: .gate,
            "Acknowledgements not held, as the connection's socket was not found"),
        MetricRow("gate-pauses", .counter, from: .gate, "Connection pauses"),
        MetricRow(
            "gate-pauses-seconds", .counter, from: .gate,
            "Total time connections were paused"),
        MetricRow(
            "gate-connections-put-off", .counter, from: .gate,
            "Connections closed without an answer, to be retried"),
        MetricRow("gate-connections-refused", .counter, from: .gate, "Wrong credentials"),
        MetricRow(
            "gate-ids-refused", .counter, from: .gate,
            "Client ids that are invalid or belong to another client"),
        MetricRow(
            "gate-sessions-refused", .counter, from: .gate, "Rejected persistent sessions"),
        MetricRow("gate-messages-refused", .counter, from: .gate, "Messages that were not allowed"),
        MetricRow(
            "gate-subscriptions-refused", .counter, from: .gate,
            "Subscriptions that were not allowed"),
        MetricRow("gate-messages-large", .counter, from: .gate, "Messages rejected for their size"),
        MetricRow(
            "gate-messages-not-waiting", .counter, from: .gate,
            "Messages not queued for an absent device because too many are"),
        MetricRow(
            "gate-messages-untaken", .counter, from: .gate,
            "Messages exceeding the client's maximum packet size"),
        MetricRow(
            "gate-rejections-untold", .counter, from: .gate, "Rejections that were not reported"),
        MetricRow(
            "gate-messages-cut-off", .counter, from: .gate,
            "Connections closed for what they sent"),
        MetricRow(
            "gate-floods-cut-off", .counter, from: .gate,
            "Connections closed for meaningless packets"),
        MetricRow(
            "gate-readers-cut-off", .counter, from: .gate,
            "Connections closed because too much was queued for them"
        ),
        MetricRow("gate-guests-ended", .counter, from: .gate, "Guests disconnected to make room"),
        MetricRow(
            "gate-guests-put-off", .counter, from: .gate, "Guests rejected for lack of room"),
        MetricRow(
            "gate-pending-ended", .counter, from: .gate,
            "Connections that never identified themselves"),
    ]

    static let page: [MetricRow] = [
        MetricRow(
            "web-uptime-seconds", .gauge, from: .page, "How long the page has been running"),
        MetricRow("web-visitors", .gauge, from: .page, "Visitors with a connection to the broker"),
        MetricRow(
            "web-visitors-connected", .gauge, from: .page,
            "Visitors whose connection the broker has accepted"),
        MetricRow("web-streams", .gauge, from: .page, "Event readers"),
        MetricRow(
            "web-events-unread-bytes", .gauge, from: .page, "Bytes of events waiting for readers"),
        MetricRow("web-requests-waiting", .gauge, from: .page, "Requests waiting for an answer"),
        MetricRow("web-connections", .gauge, from: .page, "HTTP connections"),
        MetricRow("web-events", .counter, from: .page, "Events delivered to readers"),
        MetricRow(
            "web-streams-too-slow", .counter, from: .page, "Readers disconnected for being too slow"
        ),
        MetricRow("web-answers", .counter, from: .page, by: ["status"], "HTTP answers"),
    ]
}
