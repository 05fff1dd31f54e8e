public import Tracking

extension Area {
    /// What many people have in common, for third parties: never about one of them.
    static let cohorts = Area(
        "Cohorts",
        methods: [
            Method(
                "cohort.query", .reads, [.notPeople, .companies, .services],
                Form(
                    "`{age?:{from,to},gender?,residence?,from?,to?}`",
                    gives: "the answer about the people of that kind in a window of whole hours, "
                        + "at most 31 days, usually the last 24 hours that are complete")
            ) { fields, _ in CohortCommand.query(&fields) },
            Method(
                "cohort.subscribe", .changes, [.notPeople, .services],
                against: [.changes, .answers],
                Form(
                    "`{age?:{from,to},gender?,residence?}`",
                    gives: "`{cohort,topic}`: there comes an answer about each hour",
                    looksAt: "16 of each service")
            ) { fields, _ in CohortCommand.subscribe(&fields) },
            Method(
                "cohort.unsubscribe", .changes, [.notPeople, .services], against: [],
                Form("`{cohort}`", gives: "`{}`")
            ) { fields, _ in fields.uuid("cohort").map { CohortCommand.unsubscribe($0) } },
            Method(
                "cohort.list", .reads, [.notPeople, .services],
                Form(
                    "", gives: "`{cohorts:[{cohort,age?,gender?,residence?,since}]}`",
                    looksAt: "16 of each service")
            ) { _, _ in CohortCommand.subscriptions },
        ],
        topics: [
            TopicRow(
                .cohort, "{root}/services/{service}/cohorts/{cohort}", from: [.bridge],
                to: [.thatService],
                "the answer about an hour, or `{cohort,from,to,problem}`")
        ])
}

extension Topic {
    public static func cohort(_ cohort: UUIDv7, for service: Name) -> Topic {
        .listed(.cohort, TopicPattern.Bindings(service: service, cohort: cohort))
    }
}

extension Topic.ListedKind {
    public static let cohort = Topic.ListedKind("cohort")
}
