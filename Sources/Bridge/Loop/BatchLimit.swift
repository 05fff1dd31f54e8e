/// How many messages a round may take: so many that it is soon over on the machine that it runs
/// on, since a call for help that comes meanwhile waits for its end.
struct BatchLimit {
    private(set) var count = BridgeSettings.maximumBatch

    /// What is wanted of a round, until all has left. The commit is not in it: on a slow disk it
    /// takes long for one message as well, and smaller rounds would only be more of them.
    static let longest = Duration.milliseconds(25)
    /// Fewer cost more than they gain: each round has a commit of its own.
    static let least = 100

    /// - Parameters:
    ///   - taken: messages of the round.
    ///   - time: how long it took, but for the commit.
    mutating func note(_ taken: Int, in time: Duration) {
        guard time > BatchLimit.longest else {
            return count = min(BridgeSettings.maximumBatch, count + count / 4)
        }
        // What was long for another reason says nothing of messages.
        guard taken >= BatchLimit.least else { return }
        let fitting = Double(min(taken, count)) * (BatchLimit.longest / time)
        count = max(BatchLimit.least, Int(fitting))
    }
}
