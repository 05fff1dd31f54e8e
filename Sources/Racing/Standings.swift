internal import Tracking

/// Who is where among all: by the time of those who have finished, then by how far the others are.
public struct Standings: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// From 1. Whoever is level with somebody has the same one, and those behind count them all.
        public let rank: Int
        public let bib: Int
    }

    public let entries: [Entry]

    /// - Parameter runners: by their bibs; those who have not started, or have missed a checkpoint, have no
    ///   rank.
    public init(_ runners: [Int: Runner]) {
        let ranked = runners.filter { $0.value.hasStarted && $0.value.missed.isEmpty }
        let order = ranked.sorted { left, right in
            Standings.isBefore(left.value, right.value)
                ?? Standings.isBefore(right.value, left.value).map { !$0 } ?? (left.key < right.key)
        }
        var entries: [Entry] = []
        var previous: Runner?
        for (index, (bib, runner)) in order.enumerated() {
            let isLevel = previous.map { Standings.isBefore($0, runner) == nil } ?? false
            entries.append(
                Entry(rank: isLevel ? entries[index - 1].rank : index + 1, bib: bib))
            previous = runner
        }
        self.entries = entries
    }

    /// - Returns: nil if they are level: over the line in the same second, or at the same metre.
    private static func isBefore(_ left: Runner, _ right: Runner) -> Bool? {
        switch (left.finishedAt, right.finishedAt) {
        case (let left?, let right?):
            let (one, other) = (left.milliseconds / 1_000, right.milliseconds / 1_000)
            return one == other ? nil : one < other
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil):
            let (one, other) = (left.distance.rounded(), right.distance.rounded())
            return one == other ? nil : one > other
        }
    }
}
