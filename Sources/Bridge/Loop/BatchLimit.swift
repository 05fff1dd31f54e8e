internal import Numbers

/// How many messages a turn may take, and how many bytes of them: few enough for the turn to end soon
/// on the machine at hand, since a call for help that arrives meanwhile has to wait for its end.
struct BatchLimit {
    private(set) var count = BridgeSettings.maximumBatch
    /// What is in a message costs more than the message where it is an array.
    private(set) var bytes = BridgeSettings.maximumBatchBytes

    /// The longest that a turn should take until everything is sent, without the commit: on a slow
    /// disk that takes long even for one message, and smaller turns would only mean more commits.
    static let longest = Duration.milliseconds(25)
    /// Smaller turns cost more than they gain, as each has a commit of its own.
    static let least = 100
    /// One array of a hundred samples, or as many messages that are short.
    static let leastBytes = 8_192

    /// - Parameters:
    ///   - taken: messages of the turn.
    ///   - size: the bytes of their payloads.
    ///   - time: how long it took, without the commit.
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
