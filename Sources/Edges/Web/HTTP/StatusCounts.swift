internal import HTTPTypes
internal import Synchronization

/// The number of responses per status since the start.
final class StatusCounts: Sendable {
    private let counts = Mutex<[Int: Int]>([:])

    func count(_ status: HTTPResponse.Status) {
        counts.withLock { $0[status.code, default: 0] += 1 }
    }

    /// Sorted by status.
    var answers: [(status: Int, count: Int)] {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
