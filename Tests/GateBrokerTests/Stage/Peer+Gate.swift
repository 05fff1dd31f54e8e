import MQTT
import TestBroker
import Testing

/// Actions of clients of a broker with the gate.
extension Peer {
    /// Sends DISCONNECT; returns when the broker has closed the connection.
    func leave() throws {
        guard connection.isConnected else { return }
        connection.disconnect()
        try turn(self) { !connection.isConnected }
    }

    /// Subscribes to filters that must be granted.
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
        let before = (confirmed: confirmations.count, refused: connection.refusedCount)
        try connection.publish(
            topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retain: retain)
        try turn(self) {
            confirmations.count > before.confirmed || connection.refusedCount > before.refused
                || !connection.isConnected
        }
        if confirmations.count > before.confirmed { return .accepted }
        return connection.isConnected ? .refused : .cutOff
    }

    /// Returns when everything that the broker had for it has arrived.
    func catchUp() throws { try subscribe(to: "kith/runs/-barrier-/standings", qos: .atMostOnce) }
}
