import MQTT
import TestBroker
import Testing

/// Packets read and written around the library, next to those that are not.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct BatchedSocketTests {
    @Test func `Messages of all kinds keep their order`() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try Peer("sender", at: broker), try peer("receiver", at: broker)
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            for number in 1...600 {
                try sender.connection.publish(
                    topic: number.isMultiple(of: 7) ? "t/ö" : "t/x",
                    payload: Array("\(number)".utf8),
                    qos: number.isMultiple(of: 3) ? .atMostOnce : .atLeastOnce,
                    responseTopic: number.isMultiple(of: 5) ? "t/reply" : nil)
            }
            try turn(sender, receiver) { receiver.messages.count == 600 }
            #expect(receiver.payloads == (1...600).map { "\($0)" })
            #expect(
                receiver.messages.map { $0.responseTopic != nil }
                    == (1...600).map { $0.isMultiple(of: 5) })
        }
    }

    @Test func `QoS 2 messages arrive once`() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try peer("sender", at: broker), try peer("receiver", at: broker)
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#", qos: .exactlyOnce)
            for number in 1...50 {
                try sender.connection.publish(
                    topic: "t/x", payload: Array("\(number)".utf8), qos: .exactlyOnce)
            }
            try turn(sender, receiver) {
                sender.confirmations.count == 50 && receiver.messages.count == 50
            }
            #expect(receiver.payloads == (1...50).map { "\($0)" })
        }
    }

    /// Large ones exceed a single read and arrive in several pieces.
    @Test func `Packets of every length arrive, however they are split`() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try peer("sender", at: broker), try peer("receiver", at: broker)
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            let lengths = [0, 1, 100, 121, 122, 123, 16_374, 16_375, 16_376, 65_535, 69_000, 3]
            for length in lengths {
                let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                try sender.connection.publish(topic: "t/x", payload: payload, qos: .atLeastOnce)
            }
            try turn(sender, receiver) { receiver.messages.count == lengths.count }
            for (message, length) in zip(receiver.messages, lengths) {
                #expect(message.payload == (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            }
        }
    }

    @Test func `An invalid topic is rejected and the connection stays usable`() async throws {
        try await withBroker { broker in
            let peer = try peer("peer", at: broker)
            try peer.connect()
            for topic in ["t/+", "t/#", "", "t/\u{0}x", "t/\u{1}"] {
                let error = #expect(throws: MQTTError.self, "\(topic)") {
                    try peer.connection.publish(topic: topic, payload: [1], qos: .atLeastOnce)
                }
                #expect(error?.isAboutMessage == true)
            }
            try peer.connection.publish(topic: "t/x", payload: [1], qos: .atLeastOnce)
            try turn(peer) { peer.confirmations.count == 1 }
            #expect(peer.connection.unanswered == 0)
        }
    }

    @Test func `Losing the broker raises an event, and a new connection works`() async throws {
        try await withBroker { broker in
            let peer = try peer("peer", at: broker)
            try peer.connect()
            await broker.kill()
            try turn(peer) { !peer.connection.isConnected }
            #expect(peer.disconnections.count == 1)
            #expect(peer.connection.fileDescriptor == -1)
            try await broker.start()
            try peer.connect()
            try peer.connection.publish(topic: "t/x", payload: [1], qos: .atLeastOnce)
            try turn(peer) { peer.confirmations.count == 1 }
        }
    }

    @Test func `Messages held when the connection breaks are redelivered once`() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (
                try peer("sender", at: broker),
                try peer("receiver", at: broker) {
                    $0.cleanStart = false
                    $0.sessionExpiry = 3600
                }
            )
            try sender.connect()
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            for number in 1...10 {
                try sender.connection.publish(
                    topic: "t/x", payload: Array("\(number)".utf8), qos: .atLeastOnce,
                    responseTopic: number.isMultiple(of: 2) ? "t/reply" : nil)
            }
            try turn(sender) { sender.confirmations.count == 10 }
            // Five are released, of both kinds.
            while receiver.messages.count < 5 { try receiver.read(atMost: 1) }
            try receiver.connection.release()
            try receiver.connection.publish(topic: "marker", payload: [], qos: .atLeastOnce)
            try receiver.connection.release()
            try hold(receiver) { !receiver.confirmations.isEmpty }
            try receiver.cutTheLine()
            try receiver.connect()
            try turn(receiver) { receiver.messages.count == 5 }
            #expect(receiver.payloads == (6...10).map { "\($0)" })
        }
    }

    private func peer(
        _ id: String, at broker: TestBroker, configure: (inout ConnectionOptions) -> Void = { _ in }
    ) throws -> Peer {
        try Peer(id, at: broker) {
            $0.isBatched = true
            configure(&$0)
        }
    }
}
