package import MQTT

/// A message to be published.
package struct Publication: Sendable {
    package var topic: String
    package var payload: [UInt8]
    package var qos = QoS.atMostOnce
    package var retain = false
    package var correlationData: [UInt8]?
    /// The connection that it uses.
    package var lane = Lane.bulk
    /// The row of the outbox that is deleted once the broker has confirmed the message.
    package var outboxRow: Int64?
    /// Whether this is an answer that is not in the outbox: its request is acknowledged only once
    /// the answer was sent to the broker, or was put into the outbox because it has to wait.
    package var isDirectAnswer = false
    /// The broker whose client it is for; nil if all brokers receive it.
    package var broker: Int?
}
