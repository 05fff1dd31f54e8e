import Numbers
import Tracking

/// A deletion of expired data: begun every minute, and done in steps.
struct Sweep {
    /// The time by which data must have expired to be deleted.
    let startedAt: Timestamp
    /// The newest rights change that every gate knows of.
    let accessChange: Int64
    /// When the next step is due.
    var next: Timestamp
}

/// The number of rows of each kind that a sweep step deletes: few enough for the step to end soon
/// on this machine, since a call for help that arrives during it has to wait for its end.
struct SweepPace {
    private(set) var rows = 500

    /// The longest that a step should take, without the commit.
    static let longest = Duration.milliseconds(5)
    static let least = 50
    static let most = 5_000
    /// The pause between steps, so that others' messages are handled.
    static let pause = Duration.milliseconds(50)
    /// The same while the sweep is ``late``: a quarter of the time at most goes into it then.
    static let shortPause = Duration.milliseconds(20)
    /// The duration beyond which the sweep does not keep up: it begins every minute.
    static let late = Duration.seconds(120)

    /// - Parameter time: the duration of a step for this number of rows.
    mutating func note(_ time: Duration) {
        guard time > SweepPace.longest else {
            return rows = min(SweepPace.most, rows + rows / 4)
        }
        rows = max(SweepPace.least, Int(clamping: Double(rows) * (SweepPace.longest / time)))
    }
}
