package import MQTT

/// A message on its way out.
package struct Publication: Sendable {
    package var topic: String
    package var payload: [UInt8]
    package var qos = QoS.atMostOnce
    package var retain = false
    package var correlationData: [UInt8]?
    /// With which connection it goes.
    package var lane = Lane.bulk
    /// The row of the outbox that goes when the broker has confirmed the message.
    package var outboxRow: Int64?
}
