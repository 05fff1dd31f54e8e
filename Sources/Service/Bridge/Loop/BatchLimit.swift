internal import Numbers

/// The maximum messages and payload bytes per turn: few enough for the turn to end soon on this
/// machine, since a call for help that arrives during a turn has to wait for its end.
struct BatchLimit {
    private(set) var count = BridgeSettings.maximumBatch
    /// The contents of an array cost more than the message itself.
    private(set) var bytes = BridgeSettings.maximumBatchBytes

    /// The longest that a turn should take until everything is sent, without the commit: on a slow
    /// disk a commit takes long even for one message, and smaller turns would only mean more
    /// commits.
    static let longest = Duration.milliseconds(25)
    /// The smallest limit: smaller turns cost more than they gain, as each has its own commit.
    static let least = 100
    /// The size of an array of a hundred samples, or of a hundred short messages.
    static let leastBytes = 8_192

    /// - Parameters:
    ///   - taken: the turn's messages.
    ///   - size: their payload bytes.
    ///   - time: the turn's duration without the commit.
    mutating func note(_ taken: Int, _ size: Int, in time: Duration) {
        guard time > BatchLimit.longest else {
            count = min(BridgeSettings.maximumBatch, count + count / 4)
            bytes = min(BridgeSettings.maximumBatchBytes, bytes + bytes / 4)
            return
        }
        // If a small turn took long, the messages were not the reason.
        if taken >= BatchLimit.least {
            count = max(BatchLimit.least, BatchLimit.fitting(min(taken, count), in: time))
        }
        if size >= BatchLimit.leastBytes {
            bytes = max(BatchLimit.leastBytes, BatchLimit.fitting(min(size, bytes), in: time))
        }
    }

    private static func fitting(_ amount: Int, in time: Duration) -> Int {
        Int(clamping: Double(amount) * (longest / time))
    }
}
