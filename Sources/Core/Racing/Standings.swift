internal import Tracking

/// The ranking of all runners: by the finishers' times as shown, then by the others' distances.
public struct Standings: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// From 1. Runners who are level share a rank, and those behind count all of them.
        public let rank: Int
        public let bib: Int
    }

    public let entries: [Entry]

    /// - Parameter runners: by their bibs; those who have not started, or have missed a checkpoint,
    ///   have no rank.
    public init(_ runners: [Int: Runner], by clock: RaceClock) {
        func isBefore(_ left: Runner, _ right: Runner) -> Bool? {
            Standings.isBefore(left, right, by: clock)
        }
        let ranked = runners.filter { $0.value.hasStarted && $0.value.missed.isEmpty }
        let order = ranked.sorted { left, right in
            isBefore(left.value, right.value)
                ?? isBefore(right.value, left.value).map { !$0 } ?? (left.key < right.key)
        }
        var entries: [Entry] = []
        var previous: Runner?
        for (index, (bib, runner)) in order.enumerated() {
            let isLevel = previous.map { isBefore($0, runner) == nil } ?? false
            entries.append(
                Entry(rank: isLevel ? entries[index - 1].rank : index + 1, bib: bib))
            previous = runner
        }
        self.entries = entries
    }

    /// - Returns: nil if they are level: as many seconds, or the same metre.
    private static func isBefore(_ left: Runner, _ right: Runner, by clock: RaceClock) -> Bool? {
        switch (clock.time(of: left), clock.time(of: right)) {
        case (let one?, let other?): return one == other ? nil : one < other
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil):
            let (one, other) = (left.distance.rounded(), right.distance.rounded())
            return one == other ? nil : one > other
        }
    }
}
