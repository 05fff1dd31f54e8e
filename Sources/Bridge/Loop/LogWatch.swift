internal import Logging
internal import Store

/// Watches the database's write-ahead log grow: while some program reads without an end, nothing
/// of it can be used again.
struct LogWatch {
    /// As of the last look.
    private(set) var bytes: Int64 = 0
    private var isTold = false

    /// Four times what stays of it by itself: no turn and no backup of ours comes near.
    static let alarming = 4 * Store.usualLog

    /// Says it once, and again after the log was small.
    mutating func look(at bytes: Int64, _ logger: Logger) {
        self.bytes = bytes
        if bytes <= Store.usualLog { isTold = false }
        guard bytes > LogWatch.alarming, !isTold else { return }
        isTold = true
        logger.warning(
            "The database's write-ahead log grows: some program reads the database without an end.",
            metadata: ["bytes": "\(bytes)"])
    }
}
