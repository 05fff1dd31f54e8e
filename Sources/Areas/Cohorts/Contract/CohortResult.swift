public import Anonymity
public import Tracking

/// The results of requests about cohorts.
public enum CohortResult {
    /// - `topic`: where the answers are published.
    public static let subscribed = Payload<(cohort: UUIDv7, topic: String)>(
        .init("cohort", .uuid) { $0.cohort },
        .init("topic", .text) { $0.topic })

    /// - `filter`: nil if it is damaged.
    public static let list = Payload<[(cohort: UUIDv7, filter: CohortFilter?)]>(
        .init(
            "cohorts",
            .list(
                of: .object(
                    .init("cohort", .uuid) { $0.cohort },
                    .members(of: CohortFilter.payload) { $0.filter },
                    .init("since", .time) { $0.cohort.time }))
        ) { $0 })
}
