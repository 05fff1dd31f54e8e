import Contract
import Tracking

/// Counts of what happened since the start; published on the metrics topics.
struct Counters: Sendable {
    private(set) var values: [String: Int64] = [:]

    /// Zeros for counters that always exist, so that even the first event appears as an increase.
    static let none: Counters = {
        let names =
            [
                "connection-reports", "envelopes-unreadable", "fields-left-out", "fixes",
                "fixes-dropped", "fixes-repeated", "messages-impossible", "rejected",
                "replies-forgotten", "requests", "requests-of-operator", "requests-put-off",
                "requests-refused", "requests-repeated", "turns-full", "turns-full-of-arrivals",
                "turns-full-of-timers",
            ] + Areas.types.flatMap { $0.counters }
            + Problem.Kind.allCases.map { "rejected-\($0.rawValue)" }
            + Usage.Kind.allCases.map { "quotas-reached-\($0.rawValue)" }
        var counters = Counters()
        for name in names { counters.set(name, 0) }
        return counters
    }()

    mutating func count(_ name: String, _ amount: Int = 1) {
        values[name, default: 0] += Int64(amount)
    }

    mutating func add(_ other: Counters) {
        values.merge(other.values) { $0 + $1 }
    }

    mutating func set(_ name: String, _ value: Int64) { values[name] = value }
}
