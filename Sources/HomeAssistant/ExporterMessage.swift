/// What is published on Home Assistant's broker.
public struct ExporterMessage: Hashable, Sendable {
    public var topic: String
    /// Empty: what was retained there is taken back.
    public var payload: [UInt8]

    public init(_ topic: String, _ payload: [UInt8]) {
        (self.topic, self.payload) = (topic, payload)
    }

    init(_ topic: String, _ text: String) { self.init(topic, Array(text.utf8)) }
}
