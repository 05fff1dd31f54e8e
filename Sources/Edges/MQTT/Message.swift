/// The delivery guarantee: at most, at least, or exactly once (MQTT 5, 4.3).
public enum QoS: Int32, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2
}

/// A message received from the broker.
public struct Message: Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var qos: QoS
    /// Whether the broker sent it because it was retained on the topic, not because it was new.
    public var retain: Bool
    /// The packet identifier, 1…65,535; 0 for QoS 0. A redelivered message keeps it.
    public var packetID: UInt16
    public var responseTopic: String?
    public var correlationData: [UInt8]?
    /// The last of its user properties: each program that forwards a message can append some.
    public var lastUserProperty: (name: String, value: String)?
    /// The broker that it was received from; nil if that is not known, or there is only one.
    public var broker: Int?

    public init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false,
        packetID: UInt16 = 0, responseTopic: String? = nil, correlationData: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.packetID = packetID
        self.responseTopic = responseTopic
        self.correlationData = correlationData
    }
}
