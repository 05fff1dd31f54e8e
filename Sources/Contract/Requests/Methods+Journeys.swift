extension Method {
    /// Journeys, and the paths that they leave.
    static let journeys: [Method] = [
        Method(
            "journey.start", .changes, .demo,
            Form(
                "`{groups,destination:{latitude,longitude,name?,radius?},eta}`",
                gives: "`{journey}`"),
            Form("`{extend:true,eta}`", gives: "`{journey}`")
        ) { fields, circumstances in Command.startJourney(&fields, at: circumstances.now) },
        Method("journey.stop", .changes, .demo, Form("", gives: "`{}`")) { _, _ in .stopJourney },
        Method(
            "path.get", .reads, .demo,
            Form(
                #"`{group,user,format?:"geojson"\|"gpx",cursor?}`"#,
                gives: "`{path,next}`: at most 400 points; `next` is the cursor of the next page; "
                    + "`invalid` where the path that it is of is over: begin anew")
        ) { fields, _ in Command.path(&fields) },
    ]

    public static let triggerSOS = Method(
        "sos.trigger", .changes, .demo,
        Form(
            "`{fix?}`, which without a `timestamp` counts as taken now",
            gives: "`{state}`, and `fixRefused` where the fix was; the SOS counts all the same")
    ) { fields, circumstances in
        Command.triggerSOS(fields, at: circumstances.now, circumstances.limits)
    }

    public static let stopSOS = Method("sos.stop", .changes, .demo, Form("", gives: "`{}`")) {
        _, _ in .stopSOS
    }

    static let emergencies = [triggerSOS, stopSOS]

    static let alerts: [Method] = [
        Method(
            "alert.list", .reads, .demo,
            Form(
                "`{group,before?,limit?}`",
                gives: "`{alerts,next}`: the newest first, at most 100 (usually 50) and fewer "
                    + "where they are long; `next` is the `before` of the next page, `null` at "
                    + "the end")
        ) { fields, _ in Command.listAlerts(&fields) },
        Method("alert.acknowledge", .changes, .demo, Form("`{alert}`", gives: "`{alert}`")) {
            fields, _ in fields.uuid("alert").map { .acknowledgeAlert($0) }
        },
    ]
}
