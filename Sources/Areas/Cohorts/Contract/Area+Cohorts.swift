public import Tracking

extension Area {
    /// Statistics about many people, for third parties: never about an individual.
    static let cohorts = Area(
        "Cohorts",
        methods: [
            Method(
                "cohort.query", .reads, [.notPeople, .companies, .services],
                CohortCommand.question,
                gives: "the answer about the people of that kind in a window of whole hours, "
                    + "at most 31 days, by default the last 24 complete hours"),
            Method(
                "cohort.subscribe", .changes, [.notPeople, .services],
                against: [.changes, .answers], CohortCommand.subscription,
                result: CohortResult.subscribed.schema,
                gives: "an answer about each hour is published there",
                looksAt: "16 of each service"),
            Method(
                "cohort.unsubscribe", .changes, [.notPeople, .services], against: [],
                Form(Form("cohort", .uuid)) { CohortCommand.unsubscribe($0) }, gives: "`{}`"),
            Method(
                "cohort.list", .reads, [.notPeople, .services],
                Form { CohortCommand.subscriptions },
                result: CohortResult.list.schema, looksAt: "16 of each service"),
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
