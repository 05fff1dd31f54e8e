public import Tracking

extension Area {
    /// Calling dispatch for a person in need, until they answer.
    static let dispatch = Area(
        "Dispatch",
        methods: [
            Method(
                "incident.list", .reads, .secretAnswer, DispatchCommand.query,
                result: Incident.list.schema,
                gives: "when help was called for you, the newest first; `next` is the `before` of "
                    + "the next page, `null` at the end"),
            Method(
                "emergency.drill", .makes, [],
                operators: Form(Form("area", .text).nullable) {
                    DispatchOperatorCommand.drill(area: $0)
                }),
        ],
        topics: [
            TopicRow(
                .incident, "{root}/dispatch/incidents/{incident}", from: [.bridge],
                to: [.dispatch, .bridge], retained: .compared, "Incident"),
            TopicRow(
                .incidentAnswer, "{root}/dispatch/incidents/{incident}/answer", from: [.dispatch],
                to: [.dispatch, .bridge], heardIn: .requests,
                "`{status:\"acknowledged\"\\|\"refused\"\\|\"closed\",by?,note?}`"),
            TopicRow(
                .incidentVitalsRequest, "{root}/dispatch/incidents/{incident}/vitals/request",
                from: [.dispatch], to: [.dispatch, .bridge], heardIn: .requests, "anything"),
            TopicRow(
                .incidentVitals, "{root}/dispatch/incidents/{incident}/vitals", from: [.bridge],
                to: [.dispatch], "`{vitals}`: of the last hour, the newest first, on request"),
            TopicRow(
                .dispatchRejected, "{root}/dispatch/rejected", from: [.bridge], to: [.dispatch],
                "`{topic,problem}`"),
        ],
        notices: [.helpCalled, .helpAcknowledged, .helpClosed, .helpUnanswered, .helpCalledOff],
        exports: [ExportList("incident", "when help was called for you")],
        payloads: [IncidentMessage.payload.row])
}

extension Topic {
    public static func incident(_ id: UUIDv7) -> Topic { .listed(.incident, .init(incident: id)) }

    public static func incidentAnswer(_ id: UUIDv7) -> Topic {
        .listed(.incidentAnswer, .init(incident: id))
    }

    public static func incidentVitals(_ id: UUIDv7) -> Topic {
        .listed(.incidentVitals, .init(incident: id))
    }

    public static func incidentVitalsRequest(_ id: UUIDv7) -> Topic {
        .listed(.incidentVitalsRequest, .init(incident: id))
    }

    public static let dispatchRejected = Topic.listed(.dispatchRejected, .init())
}

extension Topic.ListedKind {
    public static let incident = Topic.ListedKind("incident")
    public static let incidentAnswer = Topic.ListedKind("incidentAnswer")
    public static let incidentVitals = Topic.ListedKind("incidentVitals")
    public static let incidentVitalsRequest = Topic.ListedKind("incidentVitalsRequest")
    public static let dispatchRejected = Topic.ListedKind("dispatchRejected")
}
