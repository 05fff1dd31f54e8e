extension Gatekeeper {
    /// What the broker is asked to do.
    public enum Order: Hashable, Sendable {
        case cutOff(SessionID)
        /// To read nothing from it until the order to resume.
        case pause(Client)
        case resume(Client)
        case publish(topic: String, payload: [UInt8])
        /// The same, kept for those who come later.
        case retain(topic: String, payload: [UInt8])
        case log(String)
    }

    /// What has to be done since the last time.
    public func takeOrders() -> [Order] {
        defer { orders = [] }
        return orders
    }
}
