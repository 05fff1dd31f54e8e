import Glibc
import MQTT
import TestBroker
import Testing

/// A client, and everything that it has received.
final class Peer {
    let connection: Connection
    private(set) var messages: [Message] = []
    private(set) var events: [Connection.Event] = []

    /// - Parameter id: the client id.
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
        try turn([self]) { !events.isEmpty }
    }

    /// Sends DISCONNECT; returns when the broker has closed the connection.
    func leave() throws {
        guard connection.isConnected else { return }
        connection.disconnect()
        try turn([self]) { !connection.isConnected }
    }

    /// - Returns: whether the broker granted it.
    @discardableResult
    func subscribe(to filter: String, qos: QoS = .atLeastOnce) throws -> Bool {
        let ids = try connection.subscribe(to: [filter], qos: qos, ownMessagesToo: true)
        try turn([self]) {
            ids.allSatisfy { subscriptions[$0] != nil } || !connection.isConnected
        }
        return ids.allSatisfy { subscriptions[$0] == true }
    }

    /// The same, for filters that must be granted.
    func listen(to filters: String..., qos: QoS = .atLeastOnce) throws {
        for filter in filters {
            try #require(try subscribe(to: filter, qos: qos), "\(filter)")
        }
    }

    /// As the bridge: subscribes to all that it may read, except presence.
    func listenEverywhere() throws {
        for filter in [
            "kith/users/+/devices/+/fix", "kith/users/+/devices/+/status",
            "kith/users/+/devices/+/requests/+", "kith/guests/+/requests/+", "owntracks/#",
            "kith/users/+/groups", "kith/users/+/location", "kith/groups/#", "kith/system/#",
            "kith/bridge/marker",
        ] {
            try listen(to: filter)
        }
    }

    enum Answer: Equatable { case accepted, refused, cutOff }

    /// Publishes with QoS 1 and waits for the broker's answer.
    @discardableResult
    func publish(
        _ topic: String, _ payload: String = "x", retain: Bool = false
    ) throws -> Answer {
        guard connection.isConnected else { return .cutOff }
        let before = (confirmed: confirmedCount, refused: connection.refusedCount)
        try connection.publish(
            topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retain: retain)
        try turn([self]) {
            confirmedCount > before.confirmed || connection.refusedCount > before.refused
                || !connection.isConnected
        }
        if confirmedCount > before.confirmed { return .accepted }
        return connection.isConnected ? .refused : .cutOff
    }

    /// Returns when everything has arrived that the broker had for it before.
    func catchUp() throws { try subscribe(to: "kith/runs/-barrier-/standings", qos: .atMostOnce) }

    /// Reads what has arrived, and holds back the acknowledgements.
    func read(atMost limit: Int = 10_000, within milliseconds: Int32 = 2) throws {
        try connection.wait(atMost: milliseconds)
        messages += connection.receive(atMost: limit)
        events += connection.takeEvents()
    }

    /// Shuts down the socket, so that nothing more is sent, and notices that.
    func cutTheLine() throws {
        shutdown(connection.fileDescriptor, Int32(SHUT_RDWR))
        try turn([self]) { !connection.isConnected }
    }

    func forget() {
        messages = []
        events = []
    }

    var payloads: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }

    private var confirmedCount: Int {
        events.count { if case .confirmed = $0 { true } else { false } }
    }

    /// The newest answers, by identifiers, which repeat.
    private var subscriptions: [Connection.SubscriptionID: Bool] {
        events.reduce(into: [:]) { answers, event in
            if case .subscribed(let id, let granted) = event { answers[id] = granted }
        }
    }

    /// Whether the broker still had the session, according to the last CONNACK.
    var sessionPresent: Bool? {
        for case .connected(let present) in events.reversed() { return present }
        return nil
    }
}

/// Lets the peers read and acknowledge in turn until `condition` holds; fails after ten seconds.
func turn(_ peers: [Peer], until condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NothingHappened() }
        for peer in peers {
            try peer.read()
            if peer.connection.isConnected {
                do throws(MQTTError) { try peer.connection.release() } catch {}
            }
        }
    }
}

/// Lets the peers read and acknowledge in turn for this long.
func turn(_ peers: [Peer], for duration: Duration) throws {
    let end = ContinuousClock.now + duration
    try turn(peers) { ContinuousClock.now >= end }
}

struct NothingHappened: Error {}
