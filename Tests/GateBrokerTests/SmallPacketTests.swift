import Contract
import LocalBroker
import MQTT
import TestBroker
import TestSupport
import Testing

/// Clients that do not accept large packets (MQTT 5, Maximum Packet Size). A message dropped for
/// its size keeps its place in flight for ever: with 20 places nothing arrives after 20.
struct SmallPacketTests {
    private static let places: Int32 = 20
    private static let tooMany = 25
    private static let alerts = FamilyTopic.alerts
    private static let rejected = "kith/users/alice/devices/phone/rejected"

    @Test(arguments: [(128, QoS.atLeastOnce), (1_024, .atLeastOnce), (1_024, .exactlyOnce)])
    func `A client with a small bound gets the next alert after many too large ones`(
        maximum: Int, qos: QoS
    ) async throws {
        try await withBridge { gate, bridge in
            let alice = try gate.enter("alice.phone") { $0.takes(UInt32(maximum)) }
            try alice.listen(to: SmallPacketTests.alerts, qos: qos)
            try bridge.send(SmallPacketTests.tooMany, of: maximum, qos)
            try bridge.send(1, of: 1, qos)
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.messages.map(\.payload.count) == [1])
        }
    }

    /// 1 and 2 bytes of the fixed header, 2 before the topic, 2 of the packet's identifier, 1 before
    /// the properties, and 5 that an identifier of the subscription may take.
    @Test func `A message that just fits arrives, one byte more does not`() async throws {
        try await withBridge { gate, bridge in
            let alice = try gate.enter("alice.phone") { $0.takes(1_024) }
            try alice.listen(to: SmallPacketTests.alerts)
            let largest = 1_024 - 13 - SmallPacketTests.alerts.utf8.count
            try bridge.send(1, of: largest + 1)
            try bridge.send(1, of: largest)
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.messages.map(\.payload.count) == [largest])
        }
    }

    @Test func `A subscription to retained messages too large leaves the places free`() async throws
    {
        try await withBridge { gate, bridge in
            let topics = (0..<SmallPacketTests.tooMany).map {
                "\(FamilyTopic.root)/members/alice/path/\($0 + 1)"
            }
            for topic in topics {
                try bridge.publish(topic, String(repeating: "x", count: 2_000), retain: true)
            }
            let alice = try gate.enter("alice.phone") { $0.takes(1_024) }
            try alice.listen(to: FamilyTopic.root + "/#")
            try bridge.send(1, of: 1)
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.messages.map(\.payload.count) == [1])
        }
    }

    @Test func `A session resumed with a smaller bound gets what fits`() async throws {
        try await withBridge { gate, bridge in
            let before = try gate.enter("alice.phone") { $0.takes(nil, isLasting: true) }
            try before.listen(to: SmallPacketTests.alerts)
            try before.leave()
            try bridge.send(SmallPacketTests.tooMany, of: 2_000)
            try bridge.send(1, of: 1)
            let alice = try gate.enter("alice.phone") { $0.takes(1_024, isLasting: true) }
            // The broker counts the places of refused messages as taken.
            try turn([alice, bridge]) { !alice.connection.isConnected }
            try alice.connect()
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.sessionPresent == true)
            #expect(alice.messages.map(\.payload.count) == [1])
        }
    }

    @Test func `A session resumed with the same bound is not disturbed`() async throws {
        try await withBridge { gate, bridge in
            let before = try gate.enter("alice.phone") { $0.takes(1_024, isLasting: true) }
            try before.listen(to: SmallPacketTests.alerts)
            try before.leave()
            try bridge.send(SmallPacketTests.tooMany, of: 2_000)
            try bridge.send(1, of: 1)
            let alice = try gate.enter("alice.phone") { $0.takes(1_024, isLasting: true) }
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            try turn([alice, bridge], for: .milliseconds(500))
            #expect(alice.connection.isConnected)
            #expect(alice.messages.map(\.payload.count) == [1])
        }
    }

    /// The same fault of the broker, for another reason.
    @Test func `A phone that left a group while away gets the next alert of another`() async throws
    {
        try await withBridge { gate, bridge in
            try gate.town.join(.work, "alice")
            let before = try gate.enter("alice.phone") { $0.takes(nil, isLasting: true) }
            try before.listen(
                to: SmallPacketTests.alerts, "kith/groups/\(GroupKey.work)/alerts")
            try before.leave()
            try bridge.send(SmallPacketTests.tooMany, of: 1)
            try bridge.publish("kith/groups/\(GroupKey.work)/alerts", "other")
            try gate.town.leave(.family, "alice")
            let alice = try gate.enter("alice.phone") { $0.takes(nil, isLasting: true) }
            try turn([alice, bridge]) { !alice.connection.isConnected }
            try alice.connect()
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.payloads == ["other"])
        }
    }

    @Test func `Clients with different bounds each get what they accept`() async throws {
        try await withBridge { gate, bridge in
            let bounds: [UInt32?] = [nil, 200, 500, 1_000, 2_000, 4_000]
            let peers = try bounds.enumerated().map { index, bound in
                let peer = try gate.enter("alice.phone", id: "alice.\(index)") { $0.takes(bound) }
                try peer.listen(to: SmallPacketTests.alerts)
                return peer
            }
            let sizes = [1, 250, 750, 1_500, 3_000, 6_000]
            for size in sizes.reversed() { try bridge.send(SmallPacketTests.tooMany, of: size) }
            try bridge.send(1, of: 2)
            try turn(peers + [bridge]) {
                peers.allSatisfy { $0.messages.last?.payload.count == 2 }
            }
            for (peer, bound) in zip(peers, bounds) {
                let taken = sizes.filter { $0 < bound ?? .max }
                #expect(Set(peer.messages.map(\.payload.count)) == Set(taken + [2]))
                #expect(peer.messages.count == SmallPacketTests.tooMany * taken.count + 1)
            }
        }
    }

    @Test func `A reply's Correlation Data counts towards its size`() async throws {
        try await withBridge { gate, bridge in
            let replies = "kith/users/alice/devices/phone/replies"
            let alice = try gate.enter("alice.phone") { $0.takes(1_024) }
            try alice.listen(to: replies)
            for count in Array(repeating: 200, count: SmallPacketTests.tooMany) + [100] {
                try bridge.connection.publish(
                    topic: replies, payload: [UInt8](repeating: 0x78, count: 1_024 - 200),
                    qos: .atLeastOnce, correlationData: [UInt8](repeating: 0x79, count: count))
            }
            try turn([alice, bridge]) { !alice.messages.isEmpty }
            #expect(alice.messages.map(\.correlationData?.count) == [100])
        }
    }

    @Test func `A device is notified once per topic of what it does not get`() async throws {
        try await withBridge { gate, bridge in
            let alice = try gate.enter("alice.phone") { $0.takes(1_024) }
            try alice.listen(to: SmallPacketTests.rejected, SmallPacketTests.alerts)
            try bridge.send(3, of: 2_000)
            try alice.listen(to: "kith/users/alice/notices")
            try bridge.publish("kith/users/alice/notices", String(repeating: "x", count: 2_000))
            try turn([alice, bridge]) { alice.messages.count >= 3 }
            try turn([alice, bridge], for: .milliseconds(200))
            // The first with the subscription: alerts can be larger than it accepts.
            #expect(alice.payloads.count { $0.contains("alerts") } == 2)
            #expect(alice.payloads.count { $0.contains("notices") } == 1)
            #expect(alice.payloads.allSatisfy { $0.contains("too-large") })
        }
    }

    @Test func `A WebSocket client gets the next alert after many too large ones`() async throws {
        let port = try ReservedPort()
        let listener = "\nlistener \(port.number) 127.0.0.1\nprotocol websockets\n"
        try await withBridge(changing: { $0 + listener }) { gate, bridge in
            let socket = try await RawSocket.onceListening(port: port.number)
            #expect(try socket.upgrade())
            let properties: [UInt8] = [0x27, 0, 0, 4, 0, 0x21, 0, 20]
            socket.send(
                RawSocket.frame(
                    Packet.connect(
                        Array("alice.phone".utf8), level: 5, username: Array("alice".utf8),
                        password: Array(try gate.town.token("alice.phone").utf8),
                        properties: properties)))
            #expect(socket.receive(2)[0] == 0x82)
            let subscription = Packet.make(
                0x82, [0, 1, 0] + Packet.text(SmallPacketTests.alerts) + [1])
            socket.send(RawSocket.frame(subscription))
            try bridge.send(SmallPacketTests.tooMany, of: 2_000)
            try bridge.publish(SmallPacketTests.alerts, "the next")
            var bytes: [UInt8] = []
            while !String(decoding: bytes, as: UTF8.self).contains("the next") {
                let byte = socket.receive(1)
                try #require(!byte.isEmpty, "\(bytes.count) bytes without the next alert")
                bytes += byte
            }
            #expect(bytes.count < 1_000)
        }
    }

    /// A bridge of an earlier version.
    @Test func `Without the bridge's numbers, the log reports unknown bounds once`() async throws {
        try await withGate { gate in
            try gate.settle()
            for index in 0..<10 { _ = try gate.enter("kith:bridge", id: "kith:bridge.\(index)") }
            let alice = try gate.enter("alice.phone") { $0.takes(1_024) }
            try alice.catchUp()
            #expect(
                try gate.lines.count { $0.contains("the packet size that a client accepts") } == 1)
        }
    }

    /// A broker with the bridge's connections, as far as the gate learns from them.
    private func withBridge(
        changing change: @escaping (String) -> String = { $0 },
        _ body: (GatedBroker, Peer) async throws -> Void
    ) async throws {
        try await withGate(changing: change) { gate in
            try gate.settle()
            let bridge = try gate.announcing("kith:bridge.requests")
            _ = try gate.announcing("kith:bridge.stream")
            try await body(gate, bridge)
            #expect(
                try !gate.lines.contains { $0.contains("the packet size that a client accepts") })
        }
    }
}

extension GatedBroker {
    fileprivate func announcing(_ id: String) throws -> Peer {
        try enter("kith:bridge", id: id) {
            $0.packetMaximum = BridgePacketMaximum.announced(by: id)
        }
    }
}

extension Peer {
    /// As the bridge: sends alerts of this many bytes.
    fileprivate func send(_ count: Int, of size: Int, _ qos: QoS = .atLeastOnce) throws {
        for _ in 0..<count {
            try connection.publish(
                topic: FamilyTopic.alerts, payload: [UInt8](repeating: 0x78, count: size), qos: qos)
        }
        try turn(self) { connection.unanswered == 0 }
    }
}

extension ConnectionOptions {
    fileprivate mutating func takes(_ maximum: UInt32?, isLasting: Bool = false) {
        (packetMaximum, receiveMaximum) = (maximum, 20)
        if isLasting { (cleanStart, sessionExpiry) = (false, 3_600) }
    }
}
