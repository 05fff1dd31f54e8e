internal import CMosquitto

/// What a subscription names, wildcards and all (MQTT 5, 4.7).
public struct TopicFilter: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Whether wildcards stand where they may.
    public var isValid: Bool {
        text.utf8.count <= Int(UInt16.max) && !text.utf8.contains(0)
            && unsafe mosquitto_sub_topic_check(text) == success
    }

    public func matches(_ topic: String) -> Bool {
        var result = false
        let code = unsafe mosquitto_topic_matches_sub(text, topic, &result)
        return code == success && result
    }
}
