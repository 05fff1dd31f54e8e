import EarlyWarning
import Tracking

/// A person's monitor, fed with readings second by second.
struct Ward {
    var monitor = Monitor(at: Timestamp(milliseconds: 0))
    var limits = MonitoringLimits()
    private(set) var now = Timestamp(milliseconds: 0)
    /// Its effects, with the second of each.
    private(set) var log: [String] = []

    /// Passes time, with the effects due in between.
    mutating func pass(_ seconds: Int) {
        let end = now + .seconds(seconds)
        while let due = monitor.nextDue(after: now, limits), due <= end {
            now = max(now, due)
            note(monitor.advance(to: now, limits))
        }
        now = end
    }

    /// Passes time while the service is down.
    mutating func sleep(_ seconds: Int) { now = now + .seconds(seconds) }

    /// Sets the clock back; the service is notified.
    mutating func setBack(_ seconds: Int) {
        now = now - .seconds(seconds)
        note(monitor.advance(to: now, limits))
    }

    mutating func take(
        _ values: [Parameter: Double], ago: Int = 0, exertion: Bool = false
    ) {
        let readings = values.map { Reading($0, $1, at: now - .seconds(ago)) }
        note(monitor.receive(readings, exertionAt: exertion ? now : nil, at: now, limits))
    }

    /// The same value each second.
    mutating func take(_ parameter: Parameter, _ value: Double, for seconds: Int) {
        for _ in 0..<seconds {
            take([parameter: value])
            pass(1)
        }
    }

    /// - Returns: whether that changed anything.
    @discardableResult
    mutating func sayFine() -> Bool { monitor.answerFine(at: now, limits) }
    @discardableResult
    mutating func help() -> Bool { monitor.noteAssistance(at: now) }
    @discardableResult
    mutating func reactivate() -> Bool { monitor.reactivate(at: now, limits) }

    private mutating func note(_ effects: [Monitor.Effect]) {
        for effect in effects {
            let word =
                switch effect {
                case .ask(let score, _): "ask \(score.total)"
                case .withdraw: "withdraw"
                case .call(let alarm): "call \(alarm.reason.rawValue)"
                case .tellOfSilence(_, let groupsToo): groupsToo ? "silent for groups" : "silent"
                case .tellOfEndOfSilence: "heard"
                }
            log.append("\(now.milliseconds / 1000): \(word)")
        }
    }
}
