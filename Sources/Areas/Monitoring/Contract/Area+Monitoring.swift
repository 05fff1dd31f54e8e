internal import Tracking

extension Area {
    /// Watching somebody's vital signs: whether they are asked how they are, and whether help is
    /// called.
    static let monitoring = Area(
        "Monitoring",
        methods: [
            Method(
                "emergency.subscribe", .changes, [.password, .secretAnswer], against: [],
                Form(
                    "`{phone?,groups?:[group…]}`",
                    gives:
                        "what `emergency.get` gives: from now on your vital signs are compared with "
                        + "thresholds, and help is called if you may need it; `phone`: the number at "
                        + "which dispatch can call you back, `null` for none; `groups`: those of "
                        + "yours that are alerted, at first all that you are in then, and from "
                        + "then on as they are unless you choose others")
            ) { fields, _ in MonitoringCommand.subscribe(&fields) },
            Method(
                "emergency.thresholds", .changes, [.password, .secretAnswer], against: [],
                Form(
                    "`{thresholds:{heartRate?:{low?,high?},oxygenSaturation?,respiratoryRate?,"
                        + "systolicPressure?,bodyTemperature?}}`",
                    gives: "what `emergency.get` gives: what is outside your own bounds is "
                        + "dangerous, and what is within them is not; `null` removes them, and what "
                        + "is not named stays")
            ) { fields, _ in MonitoringCommand.thresholds(&fields) },
            Method(
                "emergency.get", .reads, .secretAnswer,
                Form(
                    "",
                    gives:
                        "`{since,state,askedUntil?,score,missing,thresholds,phone?,groups}`: `state`: "
                        + "`watching`, `asked`, `in-need` or `assisted`; `missing`: what was not "
                        + "measured lately and counts nothing; `groups`: those that are alerted, "
                        + "all if you have left those that you chose; `{state:\"off\"}` without a "
                        + "subscription")
            ) { _, _ in MonitoringCommand.get },
            Method(
                "emergency.fine", .changes, .urgent, against: [],
                Form("", gives: "`{}`: you are all right, and nobody is called")
            ) { _, _ in MonitoringCommand.fine },
            Method(
                "emergency.reactivate", .changes, .urgent, against: [],
                Form(
                    "",
                    gives: "`{}`: you need no help any more; your SOS ends, and your vital signs "
                        + "are watched again")
            ) { _, _ in MonitoringCommand.reactivate },
            Method(
                "emergency.unsubscribe", .changes, [], against: [],
                Form(
                    "",
                    gives: "`{}`: your vital signs are compared with nothing any more; whoever was "
                        + "called before is not called off")
            ) { _, _ in MonitoringCommand.unsubscribe },
        ],
        exports: [
            ExportList("monitoring", "how your vital signs are watched"),
            ExportList(
                "monitoring-consent", "when you agreed to have your vital signs watched"),
        ])
}
