import Contract
import MQTT

/// A connection between a client and the broker, with the packets in transit in both directions.
final class SimulatedSocket {
    enum Packet {
        /// - isRedelivered: the DUP flag.
        case publish(Message, isRedelivered: Bool)
        case acknowledge(UInt16)
        case goodbye
    }

    let clientID: String
    let handle: UInt
    let principal: Principal
    let tokenHash: [UInt8]?
    let sessionPresent: Bool
    var will: Message?
    /// The number of unacknowledged QoS 1 messages that the client accepts.
    let receiveMaximum: Int
    var toBroker: [Packet] = []
    var toClient: [Packet] = []
    /// False once either end has closed it. Packets in transit to the client still arrive.
    var isOpen = true
    /// Whether the broker has stopped reading for now; the client's packets stay in transit.
    var isPaused = false

    init(
        clientID: String, handle: UInt, _ principal: Principal, tokenHash: [UInt8]?,
        sessionPresent: Bool, will: Message?, receiveMaximum: Int
    ) {
        self.clientID = clientID
        self.handle = handle
        self.principal = principal
        self.tokenHash = tokenHash
        self.sessionPresent = sessionPresent
        self.will = will
        self.receiveMaximum = receiveMaximum
    }
}
