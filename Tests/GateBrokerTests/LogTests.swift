import Foundation
import MQTT
import TestBroker
import TestSupport
import Testing

/// What clients can write into the broker's log.
struct LogTests {
    @Test func `A guest's input neither fills the log nor puts names into it`() async throws {
        try await withGate { gate in
            try gate.settle()
            for round in 0..<3 {
                let client = try gate.rawSocket()
                client.send(Packet.connect(Array("visitor\(round)".utf8)))
                _ = client.receive()
                // PUBACK, PUBREC and PUBCOMP for packets that were never sent.
                for _ in 0..<5_000 {
                    client.send([0x40, 2, 0, 9] + [0x50, 2, 0, 9] + [0x70, 2, 0, 9])
                }
                // A QoS 2 packet identifier reused for another message, and a second CONNECT.
                let topic = Packet.text("kith/guests/visitor\(round)/requests/account.login")
                for payload in [UInt8]("abcdef".utf8) {
                    client.send(Packet.make(0x34, topic + [0, 7, payload]))
                }
                client.send(Packet.connect(Array("visitor\(round)".utf8)))
                #expect(client.isClosed())
            }
            let alice = try gate.enter("alice.phone")
            try alice.catchUp()
            let lines = try gate.lines
            #expect(lines.count < 10)
            #expect(!lines.contains { $0.contains("visitor") || $0.contains("alice") })
        }
    }
}
