/// How large, and how long, what the bridge does has been since its start; published on the
/// metrics topics.
struct Measures: Sendable {
    /// Messages in a turn.
    var turnMessages = Histogram(bounds: [0, 1, 3, 10, 30, 100, 300, 1000])
    /// A turn with its commit, without what it publishes.
    var turns = Histogram.seconds
    var commits = Histogram.seconds
    /// New fixes, from before they were read until what follows from them had left.
    var fixes = Histogram.seconds
    /// Calls for help, in the same way.
    var calls = Histogram.seconds

    var metrics: [(name: String, value: String)] {
        turnMessages.metrics("turn-messages") + turns.metrics("turn-seconds")
            + commits.metrics("commit-seconds") + fixes.metrics("fix-seconds")
            + calls.metrics("call-seconds")
    }
}
