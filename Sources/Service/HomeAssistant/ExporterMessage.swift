/// A message to publish on Home Assistant's broker.
public struct ExporterMessage: Hashable, Sendable {
    public var topic: String
    /// Empty to delete the retained message.
    public var payload: [UInt8]

    public init(_ topic: String, _ payload: [UInt8]) {
        (self.topic, self.payload) = (topic, payload)
    }

    init(_ topic: String, _ text: String) { self.init(topic, Array(text.utf8)) }
}
