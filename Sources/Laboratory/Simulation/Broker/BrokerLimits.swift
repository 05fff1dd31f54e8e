import MQTT

/// Limits at which Mosquitto 2.0.11 closes any client's connection.
enum BrokerLimits {
    /// The maximum number of slashes in a topic or a filter (`TOPIC_HIERARCHY_LIMIT`).
    private static let levels = 200
    /// The maximum number of bytes after a packet's first byte; everything that Kith sends fits.
    /// The broker configured by broker-config accepts more (`max_packet_size`), for pictures from
    /// phones.
    private static let packet = 69_631

    static func take(_ message: Message) -> Bool {
        take(topic: message.topic) && holds(message)
    }

    static func take(topic: String) -> Bool {
        topic.utf8.count { $0 == UInt8(ascii: "/") } <= levels
    }

    /// Whether the message fits into the packet size that the broker announces; libmosquitto does
    /// not send larger ones.
    static func holds(_ message: Message) -> Bool {
        // Lengths, packet identifier and property identifiers.
        let fixed = 16
        let properties =
            (message.responseTopic?.utf8.count ?? 0) + (message.correlationData?.count ?? 0)
        return message.topic.utf8.count + properties + message.payload.count + fixed <= packet
    }
}
