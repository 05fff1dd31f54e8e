import MQTT
import TestBroker
import TestSupport
import Testing

/// Large messages.
struct LargeTests {
    private static let card = "owntracks/alice/phone/info"
    private static let fix = "kith/users/alice/devices/phone/fix"

    /// A PUBLISH of MQTT 3.1.1, QoS 1.
    private func publish(_ topic: String, _ packet: UInt8, _ payload: [UInt8]) -> [UInt8] {
        Packet.make(0x32, Packet.text(topic) + [0, packet] + payload)
    }

    private func connect(_ gate: GatedBroker) throws -> RawSocket {
        let client = try gate.rawSocket()
        client.send(
            Packet.connect(
                Array("alice.phone".utf8), clean: false, username: Array("alice".utf8),
                password: Array(try gate.town.token("alice.phone").utf8)))
        try #require(client.receive(4).prefix(4) == [0x20, 2, 0, 0])
        return client
    }

    /// What OwnTracks for iOS sends after each connection.
    @Test(arguments: [84_000, 129_000, 260_000])
    func `A card with a picture is acknowledged and dropped, the next message is not`(size: Int)
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "owntracks/#")
            let phone = try connect(gate)
            let picture = [UInt8](repeating: 0x41, count: size)
            phone.send(publish(LargeTests.card, 1, picture))
            phone.send(publish("owntracks/alice/phone", 2, Array("{}".utf8)))
            #expect(phone.receive(8) == [0x40, 2, 0, 1, 0x40, 2, 0, 2])
            try turn([bridge]) { !bridge.messages.isEmpty }
            #expect(bridge.messages.map(\.topic) == ["owntracks/alice/phone"])
        }
    }

    @Test func `A packet above every size limit ends the connection`() async throws {
        try await withGate { gate in
            try gate.settle()
            let phone = try connect(gate)
            phone.send(publish(LargeTests.card, 1, [UInt8](repeating: 0x41, count: 270_000)))
            #expect(phone.isClosed())
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A phone sends its stored fixes as arrays in one connection`() async throws {
        try await withGate { gate in
            try gate.settle()
            let phone = try connect(gate)
            let fixes = [String](repeating: #"{"latitude":1}"#, count: 1000)
            let array = Array("[\(fixes.joined(separator: ","))]".utf8)
            let start = ContinuousClock.now
            phone.send((1...8).flatMap { publish(LargeTests.fix, $0, array) })
            let answers = phone.receive(4 * 8)
            #expect(answers == (1...8).flatMap { [0x40, 2, 0, $0] })
            // The allowance is a thousand at once, 500 a second, and what others leave of 3,500.
            #expect(ContinuousClock.now - start > .milliseconds(1_200))
        }
    }
}
