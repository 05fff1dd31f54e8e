extension Connection {
    /// An event reported by the broker, other than a message.
    public enum Event: Sendable {
        /// The broker accepted the connection; whether it still had our session.
        case connected(sessionPresent: Bool)
        /// The connection ended, with the broker's or the library's reason.
        case disconnected(MQTTError)
        /// The broker acknowledged our message of QoS 1 with this identifier.
        case confirmed(PublishID)
        /// The broker refused our message of QoS 1 (MQTT 5); it is not sent again.
        case refused(PublishID)
        /// The broker answered our subscription with this identifier.
        case subscribed(SubscriptionID, granted: Bool)
    }

    /// Identifies a subscription to one filter until the broker's answer: its packet identifier
    /// (MQTT 5, 3.8.2). Answers may arrive in any order.
    public struct SubscriptionID: Hashable, Sendable {
        public let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// Identifies a published message until its confirmation.
    public struct PublishID: Hashable, Sendable {
        public let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }
}
