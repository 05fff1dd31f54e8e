import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing
import Tracking

/// Bytes that no honest client sends.
struct HostileBytesTests {
    private static let home = "kith/users/alice/devices/phone/"

    private func alice(_ gate: GatedBroker, level: UInt8 = 4) throws -> RawSocket {
        let client = try gate.rawSocket()
        client.send(
            Packet.connect(
                Array("alice.phone".utf8), level: level, username: Array("alice".utf8),
                password: Array(try gate.town.token("alice.phone").utf8)))
        try #require(client.isLetIn())
        return client
    }

    @Test func `Topics that are too long, too deep or not text are rejected`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listenEverywhere()
            let fix = Array((HostileBytesTests.home + "fix").utf8)
            let home = Array(HostileBytesTests.home.utf8)
            let topics: [[UInt8]] = [
                fix + [0], [0] + fix, home + [0] + Array("fix".utf8), fix + [0xff], [0xc0, 0xaf],
                fix + [0xed, 0xa0, 0x80], Array(repeating: 0x61, count: 65_535),
                fix + Array(repeating: 0x61, count: 65_535 - fix.count),
                home + Array("requests/".utf8) + Array(repeating: 0x61, count: 60_000),
                Array(repeating: 0x2f, count: 65_535), Array(repeating: 0x2f, count: 250),
                fix + Array(String(repeating: "/a", count: 200).utf8),
                home + Array(String(repeating: "replies/", count: 250).utf8),
                Array("owntracks/alice".utf8) + Array(repeating: 0x2f, count: 199), fix + [0x2b],
                fix + Array("/#".utf8), [], Array("kith/users/alice/devices/phone\u{301}/fix".utf8),
                fix + Array("\u{1}".utf8), Array("\u{feff}".utf8) + fix,
            ]
            for topic in topics {
                for level: UInt8 in [4, 5] {
                    let client = try alice(gate, level: level)
                    let properties: [UInt8] = level == 5 ? [0] : []
                    client.send(
                        Packet.make(0x30, Packet.binary(topic) + properties + [0x78]) + Packet.ping)
                    _ = client.receive(2)
                    let filter = Packet.make(
                        0x82, [0, 1] + properties + Packet.binary(topic) + [0])
                    client.send(filter + Packet.ping)
                    _ = client.receive(2)
                }
            }
            try bridge.catchUp()
            #expect(bridge.messages.map(\.topic) == [])
            // In the right order, it works.
            let client = try alice(gate)
            client.send(Packet.publish(fix) + Packet.ping)
            _ = client.receive(2)
            try turn([bridge]) { bridge.messages.contains { $0.topic.hasSuffix("/fix") } }
        }
    }

    @Test func `The broker survives any bytes before and after a CONNECT`() async throws {
        try await withGate { gate in
            try gate.settle()
            let fix = Array((HostileBytesTests.home + "fix").utf8)
            let beginnings: [[UInt8]] = [
                [], Packet.publish(fix), Packet.subscribe("#"), Packet.ping, [0xe0, 0],
                [0x20, 2, 0, 0], [0xf0, 0], [0xff, 0xff, 0xff, 0xff, 0xff], [0x10, 0],
                Packet.make(0x10, Packet.text("MQTT")), Array("GET / HTTP/1.1\r\n\r\n".utf8),
                Packet.connect([0x61], level: 3), Packet.connect([0x61], level: 255),
                Packet.connect([0x61], surplus: [1, 2, 3]),
                Packet.connect([0x61], will: .init(topic: "a/+/b")),
                Packet.connect([0x61], will: .init(topic: "")),
                Packet.connect([0x61], will: .init(topic: "a", qos: 3)),
            ]
            for bytes in beginnings {
                let client = try gate.rawSocket()
                client.send(bytes)
                client.send(Packet.publish(fix) + Packet.subscribe("kith/#"))
            }
            var dice = SplitMix64(seed: 1_121)
            for _ in 0..<300 {
                let client = try gate.rawSocket()
                let count = Int.random(in: 1...300, using: &dice)
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
                if Bool.random(using: &dice) {
                    client.send(Packet.connect(Array("visitor\(count)".utf8)))
                }
                client.send(noise)
            }
            for _ in 0..<300 {
                // A CONNECT with a few bytes changed.
                var bytes = Packet.connect(
                    Array("alice.phone".utf8), level: 5, username: Array("alice".utf8),
                    password: Array(try gate.town.token("alice.phone").utf8),
                    will: .init(topic: HostileBytesTests.home + "status", retain: true))
                for _ in 0..<Int.random(in: 1...4, using: &dice) {
                    bytes[Int.random(in: 2..<bytes.count, using: &dice)] =
                        UInt8.random(in: 0...255, using: &dice)
                }
                let client = try gate.rawSocket()
                client.send(bytes)
                client.send(Packet.ping)
            }
            // Alice's phone has used up its allowance, and all clients together their burst.
            try enter("bob.phone", gate)
            #expect(await gate.broker.processIdentifier != nil)
        }
    }

    /// Reconnects until it is admitted.
    private func enter(_ who: String, _ gate: GatedBroker) throws {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let peer = try gate.client(who)
            try peer.connect()
            if peer.connection.isConnected { return }
            usleep(30_000)
        }
        throw NothingHappened()
    }

    @Test func `Half-open connections delay no one`() async throws {
        try await withGate { gate in
            try gate.settle()
            var clients: [RawSocket] = []
            for number in 0..<400 {
                let client = try gate.rawSocket()
                if number % 2 == 0 { client.send([0x10, 0x50, 0, 4, 0x4d]) }
                clients.append(client)
            }
            // In turn, so that a busy machine slows down both.
            let times = try await withGate { calm in
                try calm.settle()
                let (here, there) = (
                    try gate.enter("alice.phone"), try calm.enter("alice.phone")
                )
                var times: [(here: Duration, there: Duration)] = []
                for _ in 0..<100 { times.append((try time(here), try time(there))) }
                return times
            }
            // Except for the slowest tenth: the machine itself may have stalled.
            let slow = (
                here: times.map(\.here).sorted()[89], there: times.map(\.there).sorted()[89]
            )
            #expect(slow.here < slow.there * 3 + .milliseconds(10), "\(slow)")
            #expect(clients.count == 400)
        }
    }

    /// How long the broker takes to answer.
    private func time(_ peer: Peer) throws -> Duration {
        let start = ContinuousClock.now
        #expect(try peer.publish(HostileBytesTests.home + "fix") == .accepted)
        return ContinuousClock.now - start
    }

    @Test func `A guest that sends too much, or too often, is disconnected`() async throws {
        try await withGate { gate in
            let topic = "kith/guests/visitor/requests/account.login"
            let guest = try gate.enter("visitor")
            #expect(try guest.publish(topic, String(repeating: "a", count: 4097)) == .cutOff)
            // A new client, because the old one's library would send that message again.
            let other = try gate.enter("visitor")
            var answers: [Peer.Answer] = []
            for _ in 0..<25 { answers.append(try other.publish(topic)) }
            #expect(answers.prefix(20).allSatisfy { $0 == .accepted })
            #expect(answers.last == .cutOff)
        }
    }
}
