import MQTT

/// What Mosquitto 2.0.11 takes from nobody: it ends the connection.
enum BrokerLimits {
    /// Slashes in a topic or a filter (`TOPIC_HIERARCHY_LIMIT`).
    private static let levels = 200
    /// Bytes of a packet behind its first byte that everything of Kith's fits into. The broker of
    /// broker-config takes more (`max_packet_size`), for the pictures of phones.
    private static let packet = 69_631

    static func take(_ message: Message) -> Bool {
        take(topic: message.topic) && holds(message)
    }

    static func take(topic: String) -> Bool {
        topic.utf8.count { $0 == UInt8(ascii: "/") } <= levels
    }

    /// Whether it is a packet that the broker announces to take; libmosquitto does not send others.
    static func holds(_ message: Message) -> Bool {
        // Lengths, the identifiers of the packet and of the properties.
        let fixed = 16
        let properties =
            (message.responseTopic?.utf8.count ?? 0) + (message.correlationData?.count ?? 0)
        return message.topic.utf8.count + properties + message.payload.count + fixed <= packet
    }
}
