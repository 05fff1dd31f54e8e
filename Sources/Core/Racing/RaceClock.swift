internal import Numbers
public import Tracking

/// The start of finishers' times: runners are ranked by the time shown.
public struct RaceClock: Hashable, Sendable {
    public enum Ranking: String, Hashable, Sendable {
        /// From the moment at which each of them crossed the start line.
        case own
        /// From the start of the run.
        case gun
    }

    public let ranking: Ranking
    public let gun: Timestamp

    public init(_ ranking: Ranking, gun: Timestamp) { (self.ranking, self.gun) = (ranking, gun) }

    /// Returns whole seconds; nil before the finish.
    public func time(of runner: Runner, by ranking: Ranking) -> Int? {
        guard let finishedAt = runner.finishedAt else { return nil }
        let start = ranking == .gun ? gun : runner.startedAt ?? gun
        return Int(clamping: max(0, (finishedAt - start).milliseconds / 1_000))
    }

    /// Returns the time by which the runner is ranked.
    public func time(of runner: Runner) -> Int? { time(of: runner, by: ranking) }
}
