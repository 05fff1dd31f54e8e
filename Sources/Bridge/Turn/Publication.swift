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
    /// An answer that is not in the outbox: what it answers is not acknowledged before it has
    /// left for the broker, or has come into the outbox because it has to wait.
    package var isDirectAnswer = false
}
