/// The sizes and durations of the bridge's work since its start; published on the metrics topics.
struct Measures: Sendable {
    /// Messages per turn.
    var turnMessages = Histogram(bounds: [0, 1, 3, 10, 30, 100, 300, 1000])
    /// Turns with their commits, without sending their publications.
    var turns = Histogram.seconds
    var commits = Histogram.seconds
    /// New fixes, from before they were read until all their results were sent.
    var fixes = Histogram.seconds
    /// Calls for help, measured in the same way.
    var calls = Histogram.seconds
    /// Calls for help, until the broker has confirmed all alerts about them.
    var confirmedCalls = Histogram.seconds

    var metrics: [(name: String, value: String)] {
        turnMessages.metrics("turn-messages") + turns.metrics("turn-seconds")
            + commits.metrics("commit-seconds") + fixes.metrics("fix-seconds")
            + calls.metrics("call-seconds")
            + confirmedCalls.metrics("call-confirmed-seconds")
    }
}
