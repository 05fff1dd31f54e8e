public import Contract
public import MQTT

extension Fleet {
    /// What all phones of a fleet have in common.
    public struct Options: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var tls: ConnectionOptions.TLS?
        public var topics = TopicSpace()
        public var pace = ReplaySpeed.real
        /// How long a phone waits for the last receipts and answers, after its last fix.
        public var patience = Duration.seconds(60)
        /// Where numbered fixes outlive a restart; nil: nowhere.
        public var stateFile: String?
        /// How long a phone waits for a receipt before it sends everything kept again; twice as
        /// long each time, until one comes.
        var receiptPatience = Duration.seconds(10)

        public init() {}
    }

    /// What a fleet tells while it runs. No coordinate, name or payload is among it.
    public enum Event: Sendable {
        /// Once a second.
        case progress(FleetStatistics)
        case requestRefused(method: String, problem: String)
        /// Told once for each problem.
        case fixesRefused(problem: String)
        /// Something in the way, which the fleet goes on trying to overcome; told once for each
        /// kind.
        case trouble(String)
    }
}
