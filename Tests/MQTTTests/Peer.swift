import Glibc
import MQTT
import TestBroker
import Testing

/// A connection and everything that has come over it.
final class Peer {
    let connection: Connection
    private(set) var messages: [Message] = []
    private(set) var events: [Connection.Event] = []

    /// - Parameter id: within the test's own broker.
    init(
        _ id: String, at broker: TestBroker, configure: (inout ConnectionOptions) -> Void = { _ in }
    ) throws {
        var options = ConnectionOptions(port: Int32(broker.port), clientID: id)
        configure(&options)
        connection = try Connection(options)
    }

    /// Returns when the broker has answered.
    func connect() throws {
        forget()
        try connection.connect()
        try turn(self) { !events.isEmpty }
    }

    /// Returns when the broker has answered.
    func subscribe(
        to filter: String, qos: QoS = .atLeastOnce, ownMessagesToo: Bool = false
    ) throws {
        let ids = try connection.subscribe(
            to: [filter], qos: qos, ownMessagesToo: ownMessagesToo)
        try turn(self) { ids.allSatisfy { subscriptions[$0] != nil } }
    }

    /// Reads what waits and holds the acknowledgements.
    func read(atMost limit: Int = 10_000) throws {
        try connection.wait(atMost: 2)
        messages += connection.receive(atMost: limit)
        events += connection.takeEvents()
    }

    /// Breaks the socket, so that nothing more goes out, and notices it.
    func cutTheLine() throws {
        shutdown(connection.fileDescriptor, Int32(SHUT_RDWR))
        try turn(self) { !connection.isConnected }
    }

    func forget() {
        messages = []
        events = []
    }

    var payloads: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }

    var confirmations: [Connection.PublishID] {
        events.compactMap { if case .confirmed(let identifier) = $0 { identifier } else { nil } }
    }

    /// Whether the broker granted them.
    var subscriptions: [Connection.SubscriptionID: Bool] {
        events.reduce(into: [:]) { answers, event in
            if case .subscribed(let id, let granted) = event { answers[id] = granted }
        }
    }

    var disconnections: [MQTTError] {
        events.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }
    }

    /// Whether the broker still had the session, as it said at the last connect.
    var sessionPresent: Bool? {
        for case .connected(let present) in events.reversed() { return present }
        return nil
    }
}

/// Lets the peers read and release in turn until `condition` holds; fails after ten seconds.
func turn(_ peers: Peer..., until condition: () -> Bool) throws {
    try bounded(until: condition) {
        for peer in peers {
            try peer.read()
            if peer.connection.isConnected { try peer.connection.release() }
        }
    }
}

/// Lets the peer read until `condition` holds, but never release.
func hold(_ peer: Peer, until condition: () -> Bool) throws {
    try bounded(until: condition) { try peer.read() }
}

private func bounded(until condition: () -> Bool, _ step: () throws -> Void) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw NothingHappened() }
        try step()
    }
}

struct NothingHappened: Error {}
