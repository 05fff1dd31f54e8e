public import Contract
public import MQTT

extension Fleet {
    /// The options shared by all phones of a fleet.
    public struct Options: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var tls: ConnectionOptions.TLS?
        public var topics = TopicSpace()
        public var pace = ReplaySpeed.real
        /// How long a phone waits for the last receipts and replies after its last fix.
        public var patience = Duration.seconds(60)
        /// The file that preserves numbered fixes across restarts; nil for none.
        public var stateFile: String?
        /// How long a phone waits for a receipt before it sends all kept fixes again; doubles each
        /// time until a receipt comes.
        var receiptPatience = Duration.seconds(10)

        public init() {}
    }

    /// An event reported by a running fleet. It contains no coordinate, name or payload.
    public enum Event: Sendable {
        /// Reported once per second.
        case progress(FleetStatistics)
        case requestRefused(method: String, problem: String)
        /// Reported once for each problem.
        case fixesRefused(problem: String)
        /// A failure that the fleet keeps trying to overcome; reported once for each kind.
        case trouble(String)
    }
}
