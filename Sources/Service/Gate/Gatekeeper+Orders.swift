extension Gatekeeper {
    /// An action that the broker should take.
    public enum Order: Hashable, Sendable {
        case cutOff(SessionID)
        /// Read nothing from the client until it is resumed.
        case pause(Client)
        case resume(Client)
        /// Have the kernel keep what is written to the client, and drop it if the broker is killed.
        case hold(Client)
        case release(Client)
        case publish(topic: String, payload: [UInt8])
        /// The same, retained.
        case retain(topic: String, payload: [UInt8])
        case log(String)
        /// Write the whole state to disk.
        case save
    }

    /// Returns the orders since the last call.
    public func takeOrders() -> [Order] {
        defer { orders = [] }
        return orders
    }
}
