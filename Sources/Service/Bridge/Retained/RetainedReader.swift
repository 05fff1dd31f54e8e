internal import Contract
internal import MQTT

/// Reads the broker's retained messages on the bridge's topics, over its own connection.
struct RetainedReader {
    let options: ConnectionOptions
    let topics: TopicSpace

    /// The maximum wait for the broker between two messages.
    private static let patience = Duration.seconds(10)

    /// - Throws: if the broker refuses or stops responding.
    func read() throws(MQTTError) -> [String: [UInt8]] {
        let connection = try Connection(options)
        try connection.open()
        try connection.subscribe(
            to: topics.retainedOutputs, qos: .atMostOnce, ownMessagesToo: true)
        // The broker handles messages in order: once this one comes back, all retained messages
        // have been received.
        let marker = topics.string(.marker)
        try connection.subscribe(to: [marker], qos: .atMostOnce, ownMessagesToo: true)
        try connection.publish(topic: marker, payload: [])
        try connection.release()
        var retained: [String: [UInt8]] = [:]
        while true {
            let messages = try connection.next(within: RetainedReader.patience)
            for message in messages where message.retain && topics.isCompared(message.topic) {
                retained[message.topic] = message.payload
            }
            guard !messages.contains(where: { $0.topic == marker }) else { break }
        }
        connection.disconnect()
        try connection.release()
        return retained
    }
}
