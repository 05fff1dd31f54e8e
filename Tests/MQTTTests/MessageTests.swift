import MQTT
import TestBroker
import Testing

/// Messages arrive as they were published.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MessageTests {
    @Test(arguments: [
        [], Array("Größe 東京 🛰".utf8), Array(UInt8.min...UInt8.max), [0, 0, 0],
        [UInt8](repeating: 0xFF, count: 65_536),
    ])
    func `A payload arrives byte for byte`(payload: [UInt8]) async throws {
        try await exchange({ try $0.publish(topic: "t/ö", payload: payload, qos: .atLeastOnce) }) {
            #expect($0.payload == payload)
            #expect($0.topic == "t/ö")
            #expect($0.qos == .atLeastOnce)
            #expect($0.packetID > 0)
        }
    }

    @Test func `Response topic and correlation data arrive`() async throws {
        try await exchange({
            try $0.publish(
                topic: "t/request", payload: [1], qos: .atLeastOnce,
                correlationData: [0, 255, 7], responseTopic: "t/reply")
        }) {
            #expect($0.responseTopic == "t/reply")
            #expect($0.correlationData == [0, 255, 7])
        }
    }

    @Test func `A plain message has no response topic or correlation data`() async throws {
        try await exchange({ try $0.publish(topic: "t/plain", payload: [1]) }) {
            #expect($0.responseTopic == nil)
            #expect($0.correlationData == nil)
            #expect($0.qos == .atMostOnce)
            #expect($0.packetID == 0)
        }
    }

    @Test(arguments: [false, true])
    func `The retain flag is set for later subscribers, not for current ones`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let sender = try Peer("sender", at: broker) { $0.isBatched = isBatched }
            try sender.connect()
            try sender.connection.publish(
                topic: "t/kept", payload: [1], qos: .atLeastOnce, retain: true)
            try turn(sender) { sender.confirmations.count == 1 }
            let receiver = try Peer("receiver", at: broker) { $0.isBatched = isBatched }
            try receiver.connect()
            try receiver.subscribe(to: "t/#")
            try turn(receiver) { receiver.messages.count == 1 }
            try sender.connection.publish(
                topic: "t/kept", payload: [2], qos: .atLeastOnce, retain: true)
            try turn(sender, receiver) { receiver.messages.count == 2 }
            #expect(receiver.messages.map(\.retain) == [true, false])
        }
    }

    @Test(arguments: [false, true])
    func `Own messages are received only on request`(isBatched: Bool) async throws {
        try await withBroker { broker in
            let peer = try Peer("peer", at: broker) { $0.isBatched = isBatched }
            try peer.connect()
            try peer.subscribe(to: "others/#")
            try peer.subscribe(to: "all/#", ownMessagesToo: true)
            try peer.connection.publish(topic: "others/x", payload: [1], qos: .atLeastOnce)
            try peer.connection.publish(topic: "all/x", payload: [2], qos: .atLeastOnce)
            try turn(peer) { !peer.messages.isEmpty && peer.confirmations.count == 2 }
            #expect(peer.messages.map(\.topic) == ["all/x"])
        }
    }

    @Test(arguments: [false, true])
    func `A message above the broker's limit is refused before it is sent`(isBatched: Bool)
        async throws
    {
        try await withBroker { broker in
            let peer = try Peer("peer", at: broker) { $0.isBatched = isBatched }
            try peer.connect()
            let payload = [UInt8](repeating: 1, count: 270_000)
            #expect(throws: MQTTError.self) {
                try peer.connection.publish(topic: "t", payload: payload, qos: .atLeastOnce)
            }
        }
    }

    /// Through the library, and around it.
    private func exchange(
        _ send: (Connection) throws -> Void, _ check: (Message) throws -> Void
    ) async throws {
        for isBatched in [false, true] {
            try await withBroker { broker in
                let (sender, receiver) = (
                    try Peer("sender", at: broker) { $0.isBatched = isBatched },
                    try Peer("receiver", at: broker) { $0.isBatched = isBatched }
                )
                try sender.connect()
                try receiver.connect()
                try receiver.subscribe(to: "t/#")
                try send(sender.connection)
                try turn(sender, receiver) { !receiver.messages.isEmpty }
                try check(receiver.messages[0])
            }
        }
    }
}
