import Glibc
public import MQTT

/// A client, and everything that it has received.
public final class Peer {
    public let connection: Connection
    public private(set) var messages: [Message] = []
    public private(set) var events: [Connection.Event] = []
    /// Whether it receives what it publishes itself.
    private let hearsItself: Bool

    /// - Parameters:
    ///   - id: the client id.
    ///   - hearsItself: whether it receives what it publishes itself, unless a subscription says
    ///     otherwise.
    public init(
        _ id: String, at broker: TestBroker, hearsItself: Bool = false,
        configure: (inout ConnectionOptions) -> Void = { _ in }
    ) throws {
        var options = ConnectionOptions(port: Int32(broker.port), clientID: id)
        configure(&options)
        connection = try Connection(options)
        self.hearsItself = hearsItself
    }

    /// Returns when the broker has answered.
    public func connect() throws {
        forget()
        try connection.connect()
        try turn(self) { !events.isEmpty }
    }

    /// Returns when the broker has answered, or closed the connection.
    ///
    /// - Returns: whether the broker granted it.
    @discardableResult
    public func subscribe(
        to filter: String, qos: QoS = .atLeastOnce, ownMessagesToo: Bool? = nil
    ) throws -> Bool {
        let ids = try connection.subscribe(
            to: [filter], qos: qos, ownMessagesToo: ownMessagesToo ?? hearsItself)
        try turn(self) { ids.allSatisfy { subscriptions[$0] != nil } || !connection.isConnected }
        return ids.allSatisfy { subscriptions[$0] == true }
    }

    /// Reads what has arrived, and holds back the acknowledgements.
    public func read(atMost limit: Int = 10_000, within milliseconds: Int32 = 2) throws {
        try connection.wait(atMost: milliseconds)
        messages += connection.receive(atMost: limit)
        events += connection.takeEvents()
    }

    /// Shuts down the socket, so that nothing more is sent, and notices that.
    public func cutTheLine() throws {
        shutdown(connection.fileDescriptor, Int32(SHUT_RDWR))
        try turn(self) { !connection.isConnected }
    }

    public func forget() {
        messages = []
        events = []
    }

    // MARK: Received

    public var payloads: [String] {
        messages.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    public var confirmations: [Connection.PublishID] {
        events.compactMap { if case .confirmed(let identifier) = $0 { identifier } else { nil } }
    }

    public var subscriptions: [Connection.SubscriptionID: Bool] {
        events.reduce(into: [:]) { answers, event in
            if case .subscribed(let id, let granted) = event { answers[id] = granted }
        }
    }

    public var disconnections: [MQTTError] {
        events.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }
    }

    /// Whether the broker still had the session, according to the last CONNACK.
    public var sessionPresent: Bool? {
        for case .connected(let present) in events.reversed() { return present }
        return nil
    }
}
