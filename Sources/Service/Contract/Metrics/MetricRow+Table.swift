extension MetricRow {
    /// All rows.
    public static let all: [MetricRow] =
        [health, traffic, accounts, areas, durations, bounds, storage, processes, gate, page]
        .flatMap { $0 }

    /// Indicators of problems.
    private static let health: [MetricRow] = [
        MetricRow(
            "up", .gauge, from: .page, "1 if the service stores what it receives within two seconds"
        ),
        MetricRow("broker-up", .gauge, from: .page, "1 if the broker accepts messages"),
        MetricRow(
            "bridge-up", .gauge, from: .page, "1 if the bridge answers, or reports why it cannot"),
        MetricRow(
            "bridge-standby", .gauge, from: .page,
            "1 while the bridge on the page's machine stands by and another decides"),
        MetricRow(
            "bridge-degraded", .gauge, from: .page, by: ["reason"],
            "1 while the bridge cannot store everything, with the reason in its status"),
        MetricRow(
            "concern", .gauge, from: .page, by: ["name"],
            "1 while the service runs but something needs an operator's attention"),
        MetricRow(
            "build-info", .gauge, from: .page, by: ["version", "commit"],
            "1, with the version of the page's program"),
        MetricRow(
            "certificate-expiry-timestamp-seconds", .gauge, from: .page, by: ["listener"],
            "When the listener's certificate expires, in seconds since 1970"),
        MetricRow(
            MetricName.uptime, .gauge,
            "How long the bridge has been running; changes with every report"),
        MetricRow(
            "clock-doubted", .gauge,
            "1 while the clock is doubted: ahead (nothing is deleted for its age) or behind"
        ),
        MetricRow(
            "monitoring-idle", .gauge,
            "1 while people are watched and no vital signs have arrived for a minute"),
        MetricRow(
            "drill-unanswered", .gauge,
            "1 while a way to dispatch did not answer in the last drill"),
        MetricRow(
            "work-left-out", .gauge,
            "Pieces of work skipped because they repeatedly crashed the process"),
        MetricRow(
            "directory-down", .gauge, "1 while the directory that checks passwords is unreachable"),
    ]

    private static let traffic: [MetricRow] = [
        MetricRow("fixes", .counter, "New fixes"),
        MetricRow("fixes-repeated", .counter, "Fixes already known"),
        MetricRow("fixes-dropped", .counter, "Fixes not kept"),
        MetricRow("vitals", .counter, "New vital-sign samples"),
        MetricRow("vitals-repeated", .counter, "Samples already known"),
        MetricRow("vitals-put-off", .counter, "Samples beyond their owner's budget, not stored"),
        MetricRow("vitals-unreadable", .counter, "Samples whose key is missing"),
        MetricRow("envelopes-unreadable", .counter, "Messages sealed with an unknown key"),
        MetricRow("samples-passed-on", .counter, "Samples passed on to services"),
        MetricRow("samples-thinned", .counter, "Samples omitted from what services receive"),
        MetricRow("samples-read", .counter, "Samples read by services"),
        MetricRow("requests", .counter, "Requests"),
        MetricRow("requests-repeated", .counter, "Repeated requests"),
        MetricRow("requests-of-guests", .counter, "Requests from clients that are not logged in"),
        MetricRow("requests-of-operator", .counter, "Operator requests"),
        MetricRow("rejected", .counter, "Rejected messages and requests"),
        MetricRow(
            "rejected-{type}", .counter, called: "rejections", by: ["type"],
            "The same, by problem type"),
        MetricRow(
            "fields-left-out", .counter, "Messages accepted without one of their fields"),
        MetricRow("calls", .counter, "Calls for help"),
        MetricRow(
            "alerts-{kind}", .counter, called: "alerts", by: ["kind"], "Alerts in all groups"),
        MetricRow(
            "chat-{kind}", .counter, called: "chat-messages", by: ["kind"], "Chat messages"),
        MetricRow("connection-reports", .counter, "Gate reports on who is connected"),
        MetricRow("deliveries", .counter, "Messages accepted by channels (push, mail, webhooks)"),
        MetricRow("deliveries-failed", .counter, "Failed delivery attempts"),
        MetricRow("deliveries-given-up", .counter, "Deliveries given up as no longer useful"),
        MetricRow(
            "codes-refused", .counter,
            "Codes not sent to mail addresses because too many were requested"),
        MetricRow("invitation-mails", .counter, "Invitation mails sent"),
        MetricRow(
            "invitation-mails-refused", .counter,
            "Invitations not mailed because too many were sent to the address or by the inviter"),
        MetricRow(
            "notices-not-sent", .counter,
            "Notices only listed because their sender caused too many"),
        MetricRow("subscriptions-lost", .counter, "Browsers whose push subscription has ended"),
    ]

    private static let accounts: [MetricRow] = [
        MetricRow("registrations", .counter, "New accounts"),
        MetricRow("logins", .counter, "Logins"),
        MetricRow("logins-ended", .counter, "Logins ended by the service"),
        MetricRow("links", .counter, "Password links sent"),
        MetricRow("recoveries", .counter, "Accounts recovered"),
        MetricRow("passkeys-copied", .counter, "Passkeys rejected as possible copies"),
        MetricRow("passwords-failed", .counter, "Wrong passwords"),
        MetricRow("passwords-forgotten", .counter, "Forgotten-password requests"),
        MetricRow("passwords-put-off", .counter, "Logins rejected because too many waited"),
        MetricRow("passwords-waiting", .gauge, "Passwords waiting to be checked"),
        MetricRow("attempts-forgotten", .counter, "Failed logins forgotten early"),
        MetricRow("guests-forgotten", .counter, "Guests whose address was forgotten early"),
        MetricRow("directory-waiting", .gauge, "Queries waiting for the directory"),
        MetricRow("directory-checks", .counter, "Accounts looked up in the directory"),
        MetricRow("directory-doubted", .counter, "Directory answers that were not trusted"),
        MetricRow("directory-failures", .counter, "Queries the directory did not answer"),
        MetricRow(
            "directory-gone", .counter,
            "Accounts logged out because the directory no longer has them"),
        MetricRow(
            "directory-put-off", .counter,
            "Logins rejected because too many waited for the directory"),
        MetricRow("directory-registrations", .counter, "Accounts created from the directory"),
        MetricRow(
            "quotas-reached-{kind}", .counter, called: "quotas-reached", by: ["kind"],
            "How often a person's daily quota was used up"),
    ]

    private static let areas: [MetricRow] = [
        MetricRow("cohort-answers", .counter, "Cohort answers"),
        MetricRow("cohort-refusals", .counter, "Cohort queries refused"),
        MetricRow(
            "cohort-refusals-locked", .counter,
            "Cohort queries refused because of earlier answers, mostly to others"),
        MetricRow(
            "cohort-hours", .counter, called: "cohort-evaluations", "Hours aggregated for cohorts"),
        MetricRow("incidents", .counter, "Incidents"),
        MetricRow("incident-calls", .counter, "Calls to dispatch"),
        MetricRow("incident-calls-failed", .counter, "Webhooks and programs that failed"),
        MetricRow("incident-updates", .counter, "Incident updates"),
        MetricRow("incidents-acknowledged", .counter, "Incidents that were acknowledged"),
        MetricRow("incidents-refused", .counter, "Incidents that were refused"),
        MetricRow("incidents-closed", .counter, "Incidents that were closed"),
        MetricRow("incidents-called-off", .counter, "Incidents that were called off"),
        MetricRow("incidents-unanswered", .counter, "Incidents without an answer"),
        MetricRow("incidents-unreadable", .counter, "Incidents that cannot be read"),
        MetricRow("drills", .counter, "Drills"),
        MetricRow("drill-ways-unanswered", .counter, "Ways that did not answer in a drill"),
        MetricRow("geofence-rules", .counter, "New rules at places"),
        MetricRow("geofence-rules-told", .counter, "Notices sent by rules at places"),
        MetricRow("imported-positions", .counter, "Positions imported from elsewhere"),
        MetricRow("maintenance-warnings", .counter, "Maintenance warnings"),
        MetricRow("monitoring-evaluations", .counter, "Evaluations of vital signs"),
        MetricRow("monitoring-questions", .counter, "Questions whether a user is all right"),
        MetricRow("monitoring-questions-withdrawn", .counter, "Questions that were withdrawn"),
        MetricRow("monitoring-calls", .counter, "Calls for help because of vital signs"),
        MetricRow("monitoring-silent", .counter, "People whose vital signs stopped arriving"),
        MetricRow("monitors-unreadable", .counter, "Stored monitors that cannot be read"),
        MetricRow("places-imported", .counter, "Places imported or changed"),
        MetricRow("places-removed", .counter, "Places removed"),
        MetricRow("reminders", .counter, "New reminders"),
        MetricRow("reminders-told", .counter, "Reminders sent"),
        MetricRow("runs", .counter, "New runs"),
        MetricRow("runs-cancelled", .counter, "Runs cancelled"),
        MetricRow("run-entries", .counter, "Run entries"),
        MetricRow("run-entries-refused", .counter, "Run entries refused"),
        MetricRow("observers-made", .counter, "Group observers created"),
        MetricRow("observers-ended", .counter, "Group observers ended"),
        MetricRow("share-links-made", .counter, "Location links created"),
        MetricRow("share-links-opened", .counter, "Location links opened"),
        MetricRow("share-links-ended", .counter, "Location links ended"),
    ]

    private static let durations: [MetricRow] = [
        MetricRow("turn-messages", .histogram, "Messages in a turn"),
        MetricRow("turn-seconds", .histogram, "A turn, from reading to storage on disk"),
        MetricRow("commit-seconds", .histogram, "The commit at the end of a turn"),
        MetricRow(
            "fix-seconds", .histogram,
            "A new fix, from before it was read until everything that follows from it was sent"),
        MetricRow(
            "call-seconds", .histogram,
            "A call for help, from when the broker received it (from an app: before it was read) until everything that follows from it was sent"
        ),
        MetricRow(
            "call-confirmed-seconds", .histogram,
            "A call for help, from when the broker received it (from an app: before it was read) until it has every alert about it"
        ),
    ]
}
