internal import Tracking

extension Area {
    /// Monitoring a person's vital signs: whether they are asked how they are, and whether help is
    /// called.
    static let monitoring = Area(
        "Monitoring",
        methods: [
            Method(
                "emergency.subscribe", .changes, [.password, .secretAnswer], against: [],
                MonitoringCommand.subscription, result: MonitoringResult.watched.schema,
                gives: "from now on your vital signs are compared with thresholds, and help is "
                    + "called if you may need it. `missing`: what was not measured lately and is "
                    + "not counted; `groups`: those that are alerted, all if you have left those "
                    + "you chose"),
            Method(
                "emergency.thresholds", .changes, [.password, .secretAnswer], against: [],
                MonitoringCommand.bounds, result: MonitoringResult.watched.schema,
                gives: "values outside your own bounds are dangerous, values within them are not; "
                    + "`null` removes bounds, and omitted members stay"),
            Method(
                "emergency.get", .reads, .secretAnswer, Form { MonitoringCommand.get },
                gives: "what `emergency.subscribe` gives, with `state` `watching`, `asked`, "
                    + "`in-need` or `assisted`; `{state:\"off\"}` without a subscription"),
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
