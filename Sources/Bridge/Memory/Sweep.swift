import Numbers
import Tracking

/// A deletion of what need not be kept any longer: begun every minute, and done in steps.
struct Sweep {
    /// What was old enough at this time is deleted.
    let startedAt: Timestamp
    /// The newest change of rights that every gate knows of.
    let accessChange: Int64
    /// When the next step is due.
    var next: Timestamp
}

/// How many rows of each kind a step of the sweep deletes: few enough for the step to end soon on the
/// machine at hand, since a call for help that arrives meanwhile has to wait for its end.
struct SweepPace {
    private(set) var rows = 500

    /// The longest that a step should take, without the commit.
    static let longest = Duration.milliseconds(5)
    static let least = 50
    static let most = 5_000
    /// Between one step and the next, so that others' messages are taken.
    static let pause = Duration.milliseconds(50)
    /// The same while the sweep is ``late``: a quarter of the time at most goes into it then.
    static let shortPause = Duration.milliseconds(20)
    /// Beyond this it does not keep up: it begins every minute.
    static let late = Duration.seconds(120)

    /// - Parameter time: how long a step for so many rows has taken.
    mutating func note(_ time: Duration) {
        guard time > SweepPace.longest else {
            return rows = min(SweepPace.most, rows + rows / 4)
        }
        rows = max(SweepPace.least, Int(clamping: Double(rows) * (SweepPace.longest / time)))
    }
}
