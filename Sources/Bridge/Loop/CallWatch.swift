internal import Contract
internal import Tracking

/// Measures how long alerts about calls for help take until the broker has them.
struct CallWatch {
    private struct Call {
        let since: Duration
        /// When the turn took it.
        let begun: Duration
        /// Rows of the outbox that the broker has not confirmed yet.
        var rows: Set<Int64>
    }

    private var calls: [Call] = []

    /// Calls that are watched at the same time; what comes beyond that is not measured.
    static let most = 1_000
    /// How long a call is watched: longer only if the broker does not accept an alert.
    static let longest = Duration.seconds(3_600)

    /// - Parameters:
    ///   - publications: of the turn that took the calls.
    ///   - arrival: when the broker received the first of their messages, or when they were about to be
    ///     read if that is not known.
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

    /// - Returns: how long each of the calls took whose last alert this was.
    mutating func confirm(_ row: Int64, at now: Duration) -> [Duration] {
        guard !calls.isEmpty else { return [] }
        var times: [Duration] = []
        for index in calls.indices.reversed() where calls[index].rows.remove(row) != nil {
            if calls[index].rows.isEmpty { times.append(now - calls.remove(at: index).since) }
        }
        return times
    }
}
