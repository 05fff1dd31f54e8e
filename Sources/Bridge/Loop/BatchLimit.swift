internal import Numbers

/// How many messages a turn may take: few enough for the turn to end soon on the machine at hand,
/// since a call for help that arrives meanwhile has to wait for its end.
struct BatchLimit {
    private(set) var count = BridgeSettings.maximumBatch

    /// The longest that a turn should take until everything is sent, without the commit: on a slow
    /// disk that takes long even for one message, and smaller turns would only mean more commits.
    static let longest = Duration.milliseconds(25)
    /// Smaller turns cost more than they gain, as each has a commit of its own.
    static let least = 100

    /// - Parameters:
    ///   - taken: messages of the turn.
    ///   - time: how long it took, without the commit.
    mutating func note(_ taken: Int, in time: Duration) {
        guard time > BatchLimit.longest else {
            return count = min(BridgeSettings.maximumBatch, count + count / 4)
        }
        // If a small turn took long, the messages were not the reason.
        guard taken >= BatchLimit.least else { return }
        let fitting = Double(min(taken, count)) * (BatchLimit.longest / time)
        count = max(BatchLimit.least, Int(clamping: fitting))
    }
}
