import Contract
import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// Clients that do not read what they have subscribed to.
struct DeafTests {
    /// More than the kernel buffers for a connection.
    private static let parts = 200
    private static let part = [UInt8](repeating: 0x78, count: 60_000)

    @Test func `A client that reads nothing is disconnected and delays no other`() async throws {
        try await withGate(changing: { $0 + "\nplugin_opt_patience 1\n" }) { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "kith/bridge/connections")
            let deaf = try gate.rawSocket()
            var size: Int32 = 4096
            setsockopt(
                deaf.descriptor, SOL_SOCKET, SO_RCVBUF, &size,
                socklen_t(MemoryLayout<Int32>.size))
            deaf.send(
                Packet.connect(
                    Array("alice.phone".utf8), username: Array("alice".utf8),
                    password: Array(try gate.town.token("alice.phone").utf8)))
            #expect(deaf.receive(4) == [0x20, 2, 0, 0])
            deaf.send(Packet.subscribe("kith/users/alice/notices"))
            #expect(deaf.receive(5).first == 0x90)
            let bob = try gate.enter("bob.phone")
            try bob.listen(to: "kith/users/bob/notices")
            for _ in 0..<DeafTests.parts {
                try bridge.connection.publish(
                    topic: "kith/users/alice/notices", payload: DeafTests.part)
                try bridge.catchUp()
            }
            try bridge.connection.publish(topic: "kith/users/bob/notices", payload: [1])
            try turn([bridge, bob]) { bob.messages.contains { $0.payload == [1] } }
            try turn([bridge]) {
                try bridge.messages.filter { $0.topic == "kith/bridge/connections" }
                    .map { try ConnectionReport($0.payload) }
                    .contains {
                        switch $0 {
                        case .disconnected(let party): party == .device("phone", of: "alice")
                        case .changed(_, let parties): parties == [.device("phone", of: "alice")]
                        case .connected, .all: false
                        }
                    }
            }
        }
    }
}
