internal import Tracking

/// What the loop does at intervals.
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

/// Pauses that grow from one failure to the next.
struct Backoff {
    private let longest: Duration
    private var pause = Backoff.shortest
    private static let shortest = Duration.milliseconds(200)

    init(atMost longest: Duration) { self.longest = longest }

    mutating func reset() { pause = Backoff.shortest }

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause
    }
}
