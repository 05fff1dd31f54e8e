internal import Tracking

/// The times of a call for help at each stage.
struct SOSTrace: Sendable {
    /// Milliseconds from the call until the broker has acknowledged it, until the bridge has begun
    /// the turn that handles it (the time in the alert), and until the group has received the
    /// alert.
    private(set) var confirmed: [Int64] = []
    private(set) var taken: [Int64] = []
    private(set) var heard: [Int64] = []
    /// Seconds from the beginning of that turn until everything had left the bridge, over all
    /// calls.
    var inside: (sum: Double, count: Double) = (0, 0)

    /// Adds a call that was received.
    mutating func note(confirmed: Duration?, taken: Duration?, heard: Duration) {
        if let confirmed { self.confirmed.append(confirmed.milliseconds) }
        if let taken { self.taken.append(taken.milliseconds) }
        self.heard.append(heard.milliseconds)
    }

    mutating func noteLost(after patience: Int64) { heard.append(patience) }

    var latency: Latency? { Latency(heard) }

    /// The average time that a call spent at each stage.
    var line: String {
        guard inside.count > 0, !taken.isEmpty, !confirmed.isEmpty else {
            return "No call for help came through."
        }
        func mean(_ times: [Int64]) -> Double {
            Double(times.reduce(0, +)) / Double(max(1, times.count))
        }
        let bridge = inside.sum / inside.count * 1000
        let (begun, ended) = (mean(taken), mean(heard))
        let steps = [
            ("confirmed by the broker after", mean(confirmed)),
            ("in the bridge's turn after", begun),
            ("left the bridge after", begun + bridge), ("with the group after", ended),
        ]
        return "An SOS on its way, ms on the average: "
            + steps.map { "\($0.0) \(($0.1 * 10).rounded() / 10)" }.joined(separator: ", ") + "."
    }
}
