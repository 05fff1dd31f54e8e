import MQTT

/// The state that a broker saves to disk.
struct BrokerState {
    var retained: [String: Message] = [:]
    /// By client id.
    var sessions: [String: BrokerSession] = [:]
}

/// A client as the broker knows it, connected or not.
struct BrokerSession {
    let clientID: String
    var username: String?
    /// Whether the session is kept when the connection ends.
    var isPersistent: Bool
    /// The gate's handle for the client; changes with each connection and each start of the broker.
    var handle: UInt
    var filters: [TopicFilter: QoS] = [:]
    /// Messages sent but not acknowledged, with their packet identifiers.
    var inflight: [Message] = []
    /// Messages not sent yet.
    var queue: [Message] = []
    var lastPacket: UInt16 = 0

    mutating func nextPacket() -> UInt16 {
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        return lastPacket
    }

    /// Whether the client has yet to receive or acknowledge such a message.
    func awaits(_ topic: String, _ isMeant: ([UInt8]) -> Bool) -> Bool {
        [inflight, queue].contains { $0.contains { $0.topic == topic && isMeant($0.payload) } }
    }

    /// Returns the highest QoS among the client's matching subscriptions; nil if there are none.
    func quality(for topic: [Substring]) -> QoS? {
        var best: QoS?
        for (filter, qos) in filters
        where (best.map { $0.rawValue < qos.rawValue } ?? true) && filter.matches(topic) {
            best = qos
        }
        return best
    }
}
