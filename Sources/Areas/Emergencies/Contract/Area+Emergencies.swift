internal import Tracking

extension Area {
    /// Calls for help, and the alerts about people who may need it.
    static let emergencies = Area(
        "Emergencies",
        methods: [
            Method.triggerSOS,
            Method.stopSOS,
            Method(
                "alert.list", .reads, .demo,
                Form(
                    "`{group,before?,limit?}`",
                    gives: "`{alerts,next}`: the newest first, at most 100 (usually 50) and fewer "
                        + "where they are long; `next` is the `before` of the next page, `null` at "
                        + "the end",
                    looksAt: "the 2000 members")
            ) { fields, _ in EmergencyCommand.alerts(&fields) },
            Method(
                "alert.acknowledge", .changes, [], against: [],
                Form(
                    #"`{alert,kind?:"seen"\|"coming"\|"called"\|"not-coming"}`"#,
                    gives: "`{alert}`: who has seen a call for help can say that they come or have "
                        + "called the emergency number, and that they do not come after all")
            ) { fields, _ in EmergencyCommand.acknowledge(&fields) },
        ],
        topics: [
            TopicRow(
                .alerts, "{root}/groups/{group}/alerts", from: [.bridge],
                to: [.members, .observers, .bridge],
                "Alert")
        ],
        exports: [
            ExportList("alert", isLong: true, "alerts about you"),
            ExportList("acknowledgement", isLong: true, "alerts that you have acknowledged"),
        ])
}

extension Method {
    public static let triggerSOS = Method(
        "sos.trigger", .changes, [], against: [],
        Form(
            "`{fix?}`, which without a `timestamp` counts as taken now",
            gives: "`{state}`, and `fixRefused` where the fix was; the SOS counts all the same. "
                + "With `alone` and the emergency `number` where no other member is in my groups")
    ) { fields, circumstances in
        EmergencyCommand.trigger(fields, at: circumstances.now, circumstances.limits)
    }

    public static let stopSOS = Method(
        "sos.stop", .changes, [], against: [.alerts], Form("", gives: "`{}`")
    ) {
        _, _ in EmergencyCommand.stop
    }
}
