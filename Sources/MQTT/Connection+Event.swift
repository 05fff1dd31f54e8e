extension Connection {
    /// What the broker said besides messages.
    public enum Event: Sendable {
        /// The broker took us in; whether it still had our session.
        case connected(sessionPresent: Bool)
        /// The connection ended; the broker's or the library's reason.
        case disconnected(MQTTError)
        /// The broker has our message of QoS 1 with this identifier.
        case confirmed(PublishID)
        /// The broker answered our message of QoS 1 with a no (MQTT 5); it is not sent again.
        case refused(PublishID)
        /// The broker answered a subscription; false where it refused any of the filters.
        case subscribed(granted: Bool)
    }

    /// Identifies a published message until its confirmation.
    public struct PublishID: Hashable, Sendable {
        public let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }
}
