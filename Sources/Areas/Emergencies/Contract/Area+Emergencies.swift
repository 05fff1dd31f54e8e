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
                Form(Form.group, Form("before", .uuid).ifPresent, Form.limit) {
                    EmergencyCommand.alerts($0, before: $1, limit: $2)
                },
                result: EmergencyResult.alerts.schema,
                gives: "the newest first, and fewer where they are long; `next` is the `before` of "
                    + "the next page, `null` at the end",
                looksAt: "the 2000 members"),
            Method(
                "alert.acknowledge", .changes, .onFullDisk, against: [],
                Form(
                    Form("alert", .uuid),
                    Form(
                        "kind", .choice(of: EmergencyCommand.Answer.self),
                        "I have seen it (default); to a call for help also: I am coming, "
                            + "have called the emergency number, or am not coming after all"
                    ).or(.seen)
                ) { EmergencyCommand.acknowledge($0, $1) },
                result: EmergencyResult.acknowledged.schema),
        ],
        topics: [
            TopicRow(
                .alerts, "{root}/groups/{group}/alerts", from: [.bridge],
                to: [.members, .observers, .bridge],
                "Alert")
        ],
        notices: [.callOver, .nobodyLeft, .helperComing, .helperNotComing, .helperCalled],
        exports: [
            ExportList("alert", isLong: true, "alerts about you"),
            ExportList("acknowledgement", isLong: true, "alerts that you have acknowledged"),
        ],
        payloads: [AlertMessage.payload.row])
}

extension Method {
    public static let triggerSOS = Method(
        "sos.trigger", .changes, .onFullDisk, against: [], EmergencyCommand.call,
        result: EmergencyResult.called.schema,
        gives: "`fixRefused`: why the position was rejected; the SOS is valid either way. `alone`, "
            + "with the emergency `number`: no other member is in my groups")

    public static let stopSOS = Method(
        "sos.stop", .changes, .onFullDisk, against: [.alerts], Form { EmergencyCommand.stop },
        gives: "`{}`")
}
