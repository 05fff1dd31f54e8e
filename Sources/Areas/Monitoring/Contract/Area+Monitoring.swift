internal import Tracking

extension Area {
    /// Monitoring a person's vital signs: whether they are asked how they are, and whether help is
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
                gives: "what `emergency.get` gives: values outside your own bounds are dangerous, "
                    + "values within them are not; `null` removes bounds, and omitted members "
                    + "stay"),
            Method(
                "emergency.get", .reads, .secretAnswer, Form { MonitoringCommand.get },
                gives: "`{since,state,askedUntil?,score,missing,thresholds,phone?,groups}`: "
                    + "`state`: `watching`, `asked`, `in-need` or `assisted`; `missing`: what was "
                    + "not measured lately and is not counted; `groups`: those that are alerted, "
                    + "all if you have left those you chose; `{state:\"off\"}` without a "
                    + "subscription"),
            Method(
                "emergency.fine", .changes, .urgent, against: [], Form { MonitoringCommand.fine },
                gives: "`{}`: you are all right, and no one is called"),
            Method(
                "emergency.reactivate", .changes, .urgent, against: [],
                Form { MonitoringCommand.reactivate },
                gives: "`{}`: you no longer need help; your SOS ends, and your vital signs are "
                    + "watched again"),
            Method(
                "emergency.unsubscribe", .changes, [], against: [],
                Form { MonitoringCommand.unsubscribe },
                gives: "`{}`: your vital signs are no longer compared with anything; help that "
                    + "has already been called is not cancelled"),
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
