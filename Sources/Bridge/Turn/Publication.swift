internal import MQTT

/// A message on its way out.
struct Publication: Sendable {
    var topic: String
    var payload: [UInt8]
    var qos = QoS.atMostOnce
    var retain = false
    var correlationData: [UInt8]?
    /// The row of the outbox that goes when the broker has confirmed the message.
    var outboxRow: Int64?
}
