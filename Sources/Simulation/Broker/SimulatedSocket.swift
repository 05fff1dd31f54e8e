import Contract
import MQTT

/// A connection between a client and the broker: what is on its way in both directions.
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
    /// How many messages of QoS 1 the client takes unacknowledged.
    let receiveMaximum: Int
    var toBroker: [Packet] = []
    var toClient: [Packet] = []
    /// False once either end has given it up. What is on its way to the client still arrives.
    var isOpen = true
    /// The broker reads nothing more for now: what the client sends stays on its way.
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
