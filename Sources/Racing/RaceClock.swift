internal import Numbers
public import Tracking

/// From when the time of those counts who have finished: they are ranked by what is shown.
public struct RaceClock: Hashable, Sendable {
    public enum Ranking: String, Hashable, Sendable {
        /// From when each of them came over the start line.
        case own
        /// From the start of the run.
        case gun
    }

    public let ranking: Ranking
    public let gun: Timestamp

    public init(_ ranking: Ranking, gun: Timestamp) { (self.ranking, self.gun) = (ranking, gun) }

    /// Whole seconds; nil before the finish.
    public func time(of runner: Runner, by ranking: Ranking) -> Int? {
        guard let finishedAt = runner.finishedAt else { return nil }
        let start = ranking == .gun ? gun : runner.startedAt ?? gun
        return Int(clamping: max(0, (finishedAt - start).milliseconds / 1_000))
    }

    /// By which they are ranked.
    public func time(of runner: Runner) -> Int? { time(of: runner, by: ranking) }
}
