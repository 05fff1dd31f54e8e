import MQTT

/// What a broker has on disk once it is saved.
struct BrokerState {
    var retained: [String: Message] = [:]
    /// By client ids.
    var sessions: [String: BrokerSession] = [:]
}

/// A client as the broker knows it, connected or away.
struct BrokerSession {
    let clientID: String
    var username: String?
    /// Kept when the connection ends.
    var isPersistent: Bool
    /// The gate's name of it: changes with each connection and each start of the broker.
    var handle: UInt
    var filters: [TopicFilter: QoS] = [:]
    /// Sent, and not acknowledged; with their packet identifiers.
    var inflight: [Message] = []
    /// Not sent yet.
    var queue: [Message] = []
    var lastPacket: UInt16 = 0

    mutating func nextPacket() -> UInt16 {
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        return lastPacket
    }

    /// The highest quality with which the client wants the topic; nil: not at all.
    func quality(for topic: [Substring]) -> QoS? {
        var best: QoS?
        for (filter, qos) in filters
        where (best.map { $0.rawValue < qos.rawValue } ?? true) && filter.matches(topic) {
            best = qos
        }
        return best
    }
}
