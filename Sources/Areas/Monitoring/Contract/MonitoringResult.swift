public import EarlyWarning
public import Tracking

/// The results of requests about the monitoring of vital signs.
public enum MonitoringResult {
    /// - `score`: of the latest readings.
    /// - `groups`: the groups that are alerted.
    public typealias Watched = (
        monitored: Monitored, since: Timestamp, score: Score, groups: [GroupKey]
    )

    public static let watched = Payload<Watched>(
        .init("state", .choice(of: ["watching", "asked", "in-need", "assisted"])) {
            $0.monitored.monitor.state.name
        },
        .init("since", .time) { $0.since },
        .init("askedUntil", .time) {
            if case .asked(let question) = $0.monitored.monitor.state {
                question.deadline
            } else {
                nil
            }
        },
        .init("score", .count) { $0.score.total },
        .init("missing", .list(of: .choice(of: Parameter.allCases.map(\.field)))) {
            $0.score.missing.map(\.field)
        },
        .members(of: wishes) { ($0.monitored, $0.groups) })

    /// As in the requests.
    static let wishes = Payload<(monitored: Monitored, groups: [GroupKey])>(
        .init("thresholds", .object(thresholds)) { $0.monitored.thresholds },
        .init("phone", .text) { $0.monitored.phone },
        .init("groups", .list(of: .group)) { $0.groups })

    private static let thresholds = Payload<[Parameter: OwnThreshold]>(
        parts: Parameter.measured.map { parameter, quantity in
            .init(
                quantity.key,
                .object(
                    .init("low", .number(quantity.range)) { $0.low },
                    .init("high", .number(quantity.range)) { $0.high })
            ) { $0[parameter] }
        })
}
