internal import Logging
internal import Store

/// Watches the growth of the database's write-ahead log: while another program keeps a read
/// transaction open, none of its space can be reused.
struct LogWatch {
    /// The size at the last check, in bytes.
    private(set) var bytes: Int64 = 0
    private var isTold = false

    /// Four times the log's usual size, far beyond any turn or backup of the bridge.
    static let alarming = 4 * Store.usualLog

    /// Warns once, and again only after the log was small.
    mutating func look(at bytes: Int64, _ logger: Logger) {
        self.bytes = bytes
        if bytes <= Store.usualLog { isTold = false }
        guard bytes > LogWatch.alarming, !isTold else { return }
        isTold = true
        logger.warning(
            "The database's write-ahead log keeps growing: a program has left a read transaction open.",
            metadata: ["bytes": "\(bytes)"])
    }
}
