import Contract
import Foundation
import Glibc
import MQTT
import TestBroker
import TestSupport
import Testing

/// Phones that reconnect with much to send, and clients that take more than their share.
struct BacklogTests {
    private static let device = "kith/users/alice/devices/phone"

    private func connect(
        _ who: String, id: String, _ gate: GatedBroker, level: UInt8 = 4
    ) throws -> RawSocket {
        let client = try gate.rawSocket()
        client.send(
            Packet.connect(
                Array(id.utf8), level: level,
                username: who.contains(".") ? Array(who.prefix { $0 != "." }.utf8) : nil,
                password: who.contains(".") ? Array(try gate.town.token(who).utf8) : nil))
        try #require(client.receive(4).prefix(4) == [0x20, 2, 0, 0])
        return client
    }

    /// A PUBLISH of MQTT 3.1.1, QoS 1.
    private func publish(_ topic: String, _ packet: Int, size: Int = 1) -> [UInt8] {
        Packet.make(
            0x32,
            Packet.text(topic) + [UInt8(packet >> 8), UInt8(packet & 0xff)]
                + [UInt8](repeating: 0x78, count: size))
    }

    @Test(.timeLimit(.minutes(1)))
    func `A phone sends 5000 stored fixes and a call for help in one connection`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge") { $0.version = .v5 }
            try bridge.listen(to: "kith/users/+/devices/+/requests/+")
            let phone = try connect("alice.phone", id: "alice.1", gate)
            let count = 5_000
            var everything: [UInt8] = []
            for packet in 1...count {
                everything += publish(BacklogTests.device + "/fix", packet, size: 100)
            }
            everything += publish(BacklogTests.device + "/requests/sos.trigger", count + 1)
            phone.send(everything)
            // Meanwhile, from another connection of the same device.
            let other = try gate.enter("alice.phone", id: "alice.2")
            try other.publish(BacklogTests.device + "/requests/sos.stop")
            try turn([bridge, other]) { !bridge.messages.isEmpty }
            #expect(bridge.messages.first?.topic.hasSuffix("sos.stop") == true)

            let answers = phone.receive(4 * (count + 1))
            let acknowledged = stride(from: 0, to: answers.count - 3, by: 4).map {
                Int(answers[$0 + 2]) << 8 | Int(answers[$0 + 3])
            }
            #expect(acknowledged == Array(1...count + 1))
            try turn([bridge]) { bridge.messages.count == 2 }
            // It is treated like any other connection again.
            phone.send(Packet.ping)
            #expect(phone.receive(2) == [0xd0, 0])
        }
    }

    /// An idle broker wakes ten times a second. A phone paused for that long then sends hundreds of
    /// fixes at once, and every other client's next one waits behind them.
    @Test(.timeLimit(.minutes(1)))
    func `A pause ends soon even if nothing else happens`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "kith/system/metrics/gate-pauses")
            let phone = try connect("alice.phone", id: "alice.1", gate)
            let count = 6_000
            phone.send((1...count).flatMap { publish(BacklogTests.device + "/fix", $0) })
            #expect(phone.receive(4 * count).count == 4 * count)
            try turn(bridge) {
                let pauses = bridge.messages.last.flatMap {
                    Int(String(decoding: $0.payload, as: UTF8.self))
                }
                return pauses ?? 0 > 100
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A paused client still receives others' messages`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let phone = try connect("alice.phone", id: "alice.1", gate)
            phone.send(Packet.subscribe("kith/users/alice/notices"))
            #expect(phone.receive(5) == [0x90, 3, 0, 1, 0])
            var everything: [UInt8] = []
            for _ in 0..<6_000 {
                everything += Packet.publish(Array((BacklogTests.device + "/fix").utf8))
            }
            phone.send(everything)
            // More than the kernel buffers at once.
            let part = [UInt8](repeating: 0x78, count: 60_000)
            for _ in 0..<200 {
                try bridge.connection.publish(topic: "kith/users/alice/notices", payload: part)
                try bridge.catchUp()
            }
            let size = 200 * (60_000 + 2 + "kith/users/alice/notices".utf8.count + 4)
            #expect(phone.receive(size).count == size)
            phone.send(publish(BacklogTests.device + "/fix", 7))
            #expect(phone.receive(4) == [0x40, 2, 0, 7])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Packets full of filters delay no one`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bob = try gate.enter("bob.phone")
            let process = try #require(await gate.broker.processIdentifier)
            var body: [UInt8] = [0, 1]
            while body.count < 65_000 { body += Packet.text("kith/groups/+/x") + [0] }
            let packet = Packet.make(0x82, body)
            let guests = try (0..<40).map { try connect("guest", id: "guest\($0)", gate) }
            let before = try processorTime(of: process)
            for guest in guests { guest.send(packet) }
            #expect(try bob.publish("kith/users/bob/devices/phone/fix") == .accepted)
            // What he waits for on a machine that does nothing else.
            #expect(try processorTime(of: process) - before < .seconds(3))
            for guest in guests { #expect(guest.isClosed()) }
        }
    }

    /// See `man 5 proc`: the 14th and the 15th column are the ticks in user and kernel mode.
    private func processorTime(of process: Int32) throws -> Duration {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let columns = line.split(separator: ")").last?.split(separator: " ").map { Int($0) } ?? []
        try #require(columns.count > 12, "\(line)")
        let ticks = try #require(columns[11]) + #require(columns[12])
        return .seconds(Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    @Test(.timeLimit(.minutes(1)))
    func `A client sending meaningless packets is disconnected`() async throws {
        try await withGate { gate in
            try gate.settle()
            let guest = try connect("guest", id: "guest", gate)
            // PUBREC for packets that were never sent.
            let flood = [[UInt8]](repeating: [0x50, 2, 0, 9], count: 100_000).flatMap(\.self)
            guest.send(flood)
            #expect(guest.isClosed())
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A reader that accepts little now and then does not fill the broker`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: "kith/bridge/connections")
            let reader = try gate.rawSocket()
            var size: Int32 = 4096
            setsockopt(
                reader.descriptor, SOL_SOCKET, SO_RCVBUF, &size,
                socklen_t(MemoryLayout<Int32>.size))
            reader.send(
                Packet.connect(
                    Array("alice.phone".utf8), username: Array("alice".utf8),
                    password: Array(try gate.town.token("alice.phone").utf8)))
            #expect(reader.receive(4) == [0x20, 2, 0, 0])
            reader.send(Packet.subscribe("kith/users/alice/notices"))
            #expect(reader.receive(5).first == 0x90)
            let part = [UInt8](repeating: 0x78, count: 65_000)
            // More messages than may be queued in total.
            for number in 0..<1_200 {
                try bridge.connection.publish(topic: "kith/users/alice/notices", payload: part)
                guard number.isMultiple(of: 100) else { continue }
                try bridge.catchUp()
                _ = reader.receive(1, within: 0)
            }
            try bridge.catchUp()
            // What the kernel has buffered for it still arrives.
            try turn([bridge]) {
                try bridge.messages.filter { $0.topic == "kith/bridge/connections" }
                    .map { try ConnectionReport($0.payload) }
                    .contains(.disconnected(.device("phone", of: "alice")))
            }
        }
    }
}
