internal import Tracking

extension Area {
    /// Watching somebody's vital signs: whether they are asked how they are, and whether help is
    /// called.
    static let monitoring = Area(
        "Monitoring",
        methods: [
            Method(
                "emergency.subscribe", .changes, [.password, .secretAnswer], against: [],
                MonitoringCommand.subscription,
                gives: "what `emergency.get` gives: from now on your vital signs are compared "
                    + "with thresholds, and help is called if you may need it"),
            Method(
                "emergency.thresholds", .changes, [.password, .secretAnswer], against: [],
                MonitoringCommand.bounds,
                gives: "what `emergency.get` gives: what is outside your own bounds is dangerous, "
                    + "and what is within them is not; `null` removes them, and what is not named "
                    + "stays"),
            Method(
                "emergency.get", .reads, .secretAnswer, Form { MonitoringCommand.get },
                gives: "`{since,state,askedUntil?,score,missing,thresholds,phone?,groups}`: "
                    + "`state`: `watching`, `asked`, `in-need` or `assisted`; `missing`: what was "
                    + "not measured lately and counts nothing; `groups`: those that are alerted, "
                    + "all if you have left those that you chose; `{state:\"off\"}` without a "
                    + "subscription"),
            Method(
                "emergency.fine", .changes, .urgent, against: [], Form { MonitoringCommand.fine },
                gives: "`{}`: you are all right, and nobody is called"),
            Method(
                "emergency.reactivate", .changes, .urgent, against: [],
                Form { MonitoringCommand.reactivate },
                gives: "`{}`: you no longer need help; your SOS ends, and your vital signs are "
                    + "watched again"),
            Method(
                "emergency.unsubscribe", .changes, [], against: [],
                Form { MonitoringCommand.unsubscribe },
                gives: "`{}`: your vital signs are no longer compared with anything; help that "
                    + "was called before is not called off"),
        ],
        notices: [
            .areYouAllRight, .questionOver, .vitalsSilent, .vitalsBack, .monitoringStarted,
            .monitoringChanged, .monitoringEnded,
        ],
        exports: [
            ExportList("monitoring", "how your vital signs are watched"),
            ExportList(
                "monitoring-consent", "when you agreed to have your vital signs watched"),
        ])
}
