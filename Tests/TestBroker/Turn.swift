import MQTT
import TestSupport

/// Lets the peers read and acknowledge in turn until `condition` holds.
public func turn(_ peers: [Peer], until condition: () throws -> Bool) throws {
    try bounded(until: condition) {
        for peer in peers {
            try peer.read()
            guard peer.connection.isConnected else { continue }
            // A broken connection is an event.
            do throws(MQTTError) { try peer.connection.release() } catch {}
        }
    }
}

public func turn(_ peers: Peer..., until condition: () throws -> Bool) throws {
    try turn(peers, until: condition)
}

/// Lets the peers read and acknowledge in turn for this long.
public func turn(_ peers: [Peer], for duration: Duration) throws {
    let end = ContinuousClock.now + duration
    try turn(peers) { ContinuousClock.now >= end }
}

/// Lets the peer read until `condition` holds, but never acknowledge.
public func hold(_ peer: Peer, until condition: () throws -> Bool) throws {
    try bounded(until: condition) { try peer.read() }
}

private func bounded(until condition: () throws -> Bool, _ step: () throws -> Void) throws {
    let deadline = ContinuousClock.now + patience
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NothingHappened() }
        try step()
    }
}
