internal import CMosquitto

/// A topic filter, possibly with wildcards (MQTT 5, 4.7).
public struct TopicFilter: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Whether the filter is valid: its length, its encoding and the places of its wildcards.
    public var isValid: Bool {
        guard (1...Int(UInt16.max)).contains(text.utf8.count), !text.utf8.contains(0) else {
            return false
        }
        return unsafe mosquitto_sub_topic_check(text) == success
            && mosquitto_validate_utf8(text, Int32(text.utf8.count)) == success
    }

    public var hasWildcards: Bool { text.utf8.contains { "+#".utf8.contains($0) } }

    public func matches(_ topic: String) -> Bool {
        var result = false
        let code = unsafe mosquitto_topic_matches_sub(text, topic, &result)
        return code == success && result
    }
}
