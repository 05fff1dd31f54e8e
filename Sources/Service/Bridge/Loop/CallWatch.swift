internal import Contract
internal import Tracking

/// Measures how long alerts about calls for help take to reach the broker.
struct CallWatch {
    private struct Call {
        let since: Duration
        /// When its turn handled it.
        let begun: Duration
        /// Outbox rows that the broker has not confirmed yet.
        var rows: Set<Int64>
    }

    private var calls: [Call] = []

    /// The maximum number of calls measured at the same time; further calls are not measured.
    static let most = 1_000
    /// The maximum time that a call is measured; only an alert that the broker does not accept
    /// takes longer.
    static let longest = Duration.seconds(3_600)

    /// - Parameters:
    ///   - publications: those of the turn that handled the calls.
    ///   - arrival: when the broker received the first of their messages, or, if unknown, when they
    ///     were about to be read.
    mutating func begin(
        _ publications: [Publication], in topics: TopicSpace, since arrival: Duration,
        at now: Duration
    ) {
        let rows = publications.compactMap { publication -> Int64? in
            guard case .alerts? = topics.parse(publication.topic) else { return nil }
            return publication.outboxRow
        }
        calls.removeAll { now - $0.begun > CallWatch.longest }
        guard !rows.isEmpty, calls.count < CallWatch.most else { return }
        calls.append(Call(since: arrival, begun: now, rows: Set(rows)))
    }

    /// - Returns: the durations of the calls whose last alert this was.
    mutating func confirm(_ row: Int64, at now: Duration) -> [Duration] {
        guard !calls.isEmpty else { return [] }
        var times: [Duration] = []
        for index in calls.indices.reversed() where calls[index].rows.remove(row) != nil {
            if calls[index].rows.isEmpty { times.append(now - calls.remove(at: index).since) }
        }
        return times
    }
}
