import MQTT
import TestBroker
import TestSupport
import Testing

/// Connections without a CONNECT, with a real Mosquitto.
struct PendingConnectionTests {
    private func withImpatience(_ body: (GatedBroker) async throws -> Void) async throws {
        try await withGate(changing: { $0 + "\nplugin_opt_patience 3\n" }) { gate in
            try gate.settle()
            // The gate finds the broker's sockets by its first client.
            let bridge = try gate.enter("kith:bridge")
            try await body(gate)
            #expect(bridge.connection.isConnected)
        }
    }

    @Test(arguments: [[], [0x10], Array(Packet.connect(Array("visitor".utf8)).dropLast())])
    func `A connection without a CONNECT is closed, an identified one stays`(bytes: [UInt8])
        async throws
    {
        try await withImpatience { gate in
            let alice = try gate.enter("alice.phone")
            let clients = try (0..<20).map { _ in
                let client = try gate.rawSocket()
                client.send(bytes)
                return client
            }
            for client in clients { #expect(client.isClosed(within: 10_000)) }
            #expect(try alice.publish("kith/users/alice/devices/phone/fix") == .accepted)
        }
    }

    @Test func `An oversized CONNECT is not waited for`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let client = try gate.rawSocket()
            // A CONNECT of 200,000 bytes, of which only some have been sent.
            client.send([0x10] + Packet.variable(200_000) + [UInt8](repeating: 0, count: 60_000))
            #expect(client.isClosed(within: 10_000))
            #expect(bridge.connection.isConnected)
        }
    }
}
