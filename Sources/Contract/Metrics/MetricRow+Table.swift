extension MetricRow {
    /// All rows.
    public static let all: [MetricRow] =
        [health, traffic, accounts, areas, durations, bounds, storage, processes, gate, page]
        .flatMap { $0 }

    /// What is wrong if it is not as it should be.
    private static let health: [MetricRow] = [
        MetricRow(
            "up", .gauge, from: .page, "1 if the service stores what it is told, within two seconds"
        ),
        MetricRow("broker-up", .gauge, from: .page, "1 if the broker takes messages"),
        MetricRow(
            "bridge-up", .gauge, from: .page, "1 if the bridge answers, or says why it cannot"),
        MetricRow(
            "bridge-degraded", .gauge, from: .page, by: ["reason"],
            "1 while the bridge cannot store everything, with the reason that its status gives"),
        MetricRow(
            "concern", .gauge, from: .page, by: ["name"],
            "1 while an operator has to look into something although the service goes on"),
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
            "1 while the clock is doubted: ahead, so that nothing is deleted for its age, or behind"
        ),
        MetricRow(
            "monitoring-idle", .gauge,
            "1 while people are watched and nothing has come of anybody for a minute"),
        MetricRow(
            "drill-unanswered", .gauge,
            "1 while the last drill had a way to dispatch that did not answer"),
        MetricRow(
            "work-left-out", .gauge,
            "Pieces of work that are left out, as the process ended over them again and again"),
        MetricRow("directory-down", .gauge, "1 while the directory that checks passwords is away"),
    ]

    private static let traffic: [MetricRow] = [
        MetricRow("fixes", .counter, "New fixes"),
        MetricRow("fixes-repeated", .counter, "Fixes that were known already"),
        MetricRow("fixes-dropped", .counter, "Fixes that are not kept"),
        MetricRow("vitals", .counter, "New samples of vital signs"),
        MetricRow("vitals-repeated", .counter, "Samples that were known already"),
        MetricRow("vitals-put-off", .counter, "Samples beyond their owner's budget, not stored"),
        MetricRow("vitals-unreadable", .counter, "Samples without their key"),
        MetricRow("envelopes-unreadable", .counter, "Messages sealed with a key that is not known"),
        MetricRow("samples-passed-on", .counter, "Samples passed on to services"),
        MetricRow("samples-thinned", .counter, "Samples left out of what services receive"),
        MetricRow("samples-read", .counter, "Samples that services have read"),
        MetricRow("requests", .counter, "Requests"),
        MetricRow("requests-repeated", .counter, "Requests that came again"),
        MetricRow("requests-of-guests", .counter, "Requests of whoever is not logged in"),
        MetricRow("requests-of-operator", .counter, "Requests of the operator"),
        MetricRow("rejected", .counter, "Messages and requests that were refused"),
        MetricRow(
            "rejected-{type}", .counter, called: "rejections", by: ["type"],
            "The same, by the type of the problem"),
        MetricRow(
            "fields-left-out", .counter, "Messages that were taken without a field of theirs"),
        MetricRow("calls", .counter, "Calls for help"),
        MetricRow(
            "alerts-{kind}", .counter, called: "alerts", by: ["kind"], "Alerts in all groups"),
        MetricRow(
            "chat-{kind}", .counter, called: "chat-messages", by: ["kind"], "Messages of chats"),
        MetricRow("connection-reports", .counter, "Reports of the gate on who is connected"),
        MetricRow("deliveries", .counter, "Messages that channels (push, mail, webhooks) took"),
        MetricRow("deliveries-failed", .counter, "Attempts of deliveries that failed"),
        MetricRow("deliveries-given-up", .counter, "Deliveries that are of no use any more"),
        MetricRow(
            "codes-refused", .counter,
            "Codes not sent to mail addresses, as too many were asked for"),
        MetricRow("invitation-mails", .counter, "Mails with an invitation that were handed over"),
        MetricRow(
            "invitation-mails-refused", .counter,
            "Invitations not mailed, as too many were sent to the address or by the inviter"),
        MetricRow(
            "notices-not-sent", .counter,
            "Notices that are only listed, as their sender caused too many"),
        MetricRow("subscriptions-lost", .counter, "Browsers whose push subscription has ended"),
    ]

    private static let accounts: [MetricRow] = [
        MetricRow("registrations", .counter, "New accounts"),
        MetricRow("logins", .counter, "Logins"),
        MetricRow("logins-ended", .counter, "Logins that the service has ended"),
        MetricRow("links", .counter, "Links sent for setting a password"),
        MetricRow("recoveries", .counter, "Accounts recovered"),
        MetricRow("passkeys-copied", .counter, "Passkeys refused because there seem to be two"),
        MetricRow("passwords-failed", .counter, "Wrong passwords"),
        MetricRow("passwords-forgotten", .counter, "Requests of whoever has forgotten a password"),
        MetricRow("passwords-put-off", .counter, "Logins refused because too many waited"),
        MetricRow("passwords-waiting", .gauge, "Passwords that wait to be checked"),
        MetricRow("attempts-forgotten", .counter, "Failed logins forgotten early"),
        MetricRow("guests-forgotten", .counter, "Guests whose address was forgotten early"),
        MetricRow("directory-waiting", .gauge, "Questions that wait for the directory"),
        MetricRow("directory-checks", .counter, "Accounts looked up in the directory"),
        MetricRow("directory-doubted", .counter, "Answers of the directory that were not believed"),
        MetricRow("directory-failures", .counter, "Questions that the directory did not answer"),
        MetricRow(
            "directory-gone", .counter, "Accounts logged out as the directory has them no more"),
        MetricRow(
            "directory-put-off", .counter, "Logins refused as too many waited for the directory"),
        MetricRow("directory-registrations", .counter, "Accounts made from the directory"),
        MetricRow(
            "quotas-reached-{kind}", .counter, called: "quotas-reached", by: ["kind"],
            "How often a person's daily quota was used up"),
    ]

    private static let areas: [MetricRow] = [
        MetricRow("cohort-answers", .counter, "Answers about cohorts"),
        MetricRow("cohort-refusals", .counter, "Questions about cohorts that were refused"),
        MetricRow(
            "cohort-refusals-locked", .counter,
            "Those among them that earlier answers, mostly to others, have locked"),
        MetricRow(
            "cohort-hours", .counter, called: "cohort-evaluations", "Hours summed up for cohorts"),
        MetricRow("incidents", .counter, "Incidents"),
        MetricRow("incident-calls", .counter, "Calls to dispatch"),
        MetricRow("incident-calls-failed", .counter, "Webhooks and programs that failed"),
        MetricRow("incident-updates", .counter, "Updates of incidents"),
        MetricRow("incidents-acknowledged", .counter, "Incidents that were acknowledged"),
        MetricRow("incidents-refused", .counter, "Incidents that were refused"),
        MetricRow("incidents-closed", .counter, "Incidents that were closed"),
        MetricRow("incidents-called-off", .counter, "Incidents that were called off"),
        MetricRow("incidents-unanswered", .counter, "Incidents that nobody has answered"),
        MetricRow("incidents-unreadable", .counter, "Incidents that cannot be read"),
        MetricRow("drills", .counter, "Drills"),
        MetricRow("drill-ways-unanswered", .counter, "Ways that did not answer in a drill"),
        MetricRow("geofence-rules", .counter, "New rules at places"),
        MetricRow("geofence-rules-told", .counter, "Notices because of rules at places"),
        MetricRow("imported-positions", .counter, "Positions imported from elsewhere"),
        MetricRow("maintenance-warnings", .counter, "Warnings of maintenance"),
        MetricRow("monitoring-evaluations", .counter, "Evaluations of vital signs"),
        MetricRow("monitoring-questions", .counter, "Questions whether somebody is all right"),
        MetricRow("monitoring-questions-withdrawn", .counter, "Questions that were withdrawn"),
        MetricRow("monitoring-calls", .counter, "Calls for help because of vital signs"),
        MetricRow("monitoring-silent", .counter, "People of whom nothing came any more"),
        MetricRow("monitors-unreadable", .counter, "Stored monitors that cannot be read"),
        MetricRow("places-imported", .counter, "Places imported or changed"),
        MetricRow("places-removed", .counter, "Places removed"),
        MetricRow("reminders", .counter, "New reminders"),
        MetricRow("reminders-told", .counter, "Reminders told"),
        MetricRow("runs", .counter, "New runs"),
        MetricRow("runs-cancelled", .counter, "Runs cancelled"),
        MetricRow("run-entries", .counter, "Entries for runs"),
        MetricRow("run-entries-refused", .counter, "Entries refused"),
        MetricRow("observers-made", .counter, "Observers of groups made"),
        MetricRow("observers-ended", .counter, "Observers of groups ended"),
        MetricRow("share-links-made", .counter, "Links made that show where somebody is"),
        MetricRow("share-links-opened", .counter, "Such links opened"),
        MetricRow("share-links-ended", .counter, "Such links ended"),
    ]

    private static let durations: [MetricRow] = [
        MetricRow("turn-messages", .histogram, "Messages in a turn"),
        MetricRow("turn-seconds", .histogram, "A turn, from what was read to what is on disk"),
        MetricRow("commit-seconds", .histogram, "The commit at the end of a turn"),
        MetricRow(
            "fix-seconds", .histogram,
            "A new fix, from before it was read until all that follows from it was sent"),
        MetricRow(
            "call-seconds", .histogram,
            "A call for help, from when the broker received it (of an app: from before it was read) until all that follows from it was sent"
        ),
        MetricRow(
            "call-confirmed-seconds", .histogram,
            "A call for help, from when the broker received it (of an app: from before it was read) until it has every alert about it"
        ),
    ]
}
