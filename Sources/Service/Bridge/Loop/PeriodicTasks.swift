internal import Tracking

/// The loop's periodic tasks.
struct PeriodicTasks {
    enum Kind: CaseIterable {
        case maintaining, confirming, lookingForChanges, reporting, sweeping, insisting, retrying

        var interval: Duration {
            switch self {
            case .maintaining, .confirming: .seconds(1)
            case .lookingForChanges: .milliseconds(200)
            case .insisting: .milliseconds(50)
            case .reporting: .seconds(10)
            case .sweeping: .seconds(60)
            case .retrying: .seconds(600)
            }
        }
    }

    private var next: [Kind: Duration] = [:]

    /// Returns whether the task is due; if so, it counts as done.
    ///
    /// - Parameter now: by the steady clock.
    mutating func isDue(_ task: Kind, at now: Duration) -> Bool {
        if let next = next[task], now < next { return false }
        next[task] = now + task.interval
        return true
    }

    /// Returns how long to sleep at most, in milliseconds.
    func patience(untilTimer: Duration?) -> Int32 {
        let longest = Kind.lookingForChanges.interval
        let patience = max(.zero, min(untilTimer ?? longest, longest))
        return Int32(clamping: patience.milliseconds + 1)
    }
}
