import Glibc
import LocalBroker
import TestSupport
import Testing

/// Phones and pages that use MQTT over WebSockets.
struct WebSocketTests {
    private static let topic = "kith/users/alice/devices/phone/fix"

    /// An array of a thousand fixes, as far as the gate examines it; QoS 1.
    private func array(_ packet: Int) -> [UInt8] {
        Packet.make(
            0x32,
            Packet.text(WebSocketTests.topic) + [UInt8(packet >> 8), UInt8(packet & 0xff)]
                + [UInt8](repeating: UInt8(ascii: "{"), count: 1_000)
                + [UInt8](repeating: UInt8(ascii: " "), count: 57_000))
    }

    /// More than the kernel buffers for a connection from which nothing is read.
    @Test(.timeLimit(.minutes(1)))
    func `A phone sends 30 000 stored fixes as arrays in one connection`() async throws {
        let port = try ReservedPort()
        let listener = "\nlistener \(port.number) 127.0.0.1\nprotocol websockets\n"
        try await withGate(changing: { $0 + listener }) { gate in
            try gate.settle()
            let socket = try await RawSocket.onceListening(port: port.number)
            #expect(try socket.upgrade())
            socket.send(
                RawSocket.frame(
                    Packet.connect(
                        Array("alice.phone".utf8), username: Array("alice".utf8),
                        password: Array(try gate.town.token("alice.phone").utf8))))
            #expect(socket.receive(6) == [0x82, 4, 0x20, 2, 0, 0])
            let count = 30
            for packet in 1...count { socket.send(RawSocket.frame(array(packet))) }
            let answers = socket.receive(6 * count)
            let expected = (1...count).flatMap { [0x82, 4, 0x40, 2, 0, UInt8($0)] as [UInt8] }
            #expect(answers == expected)
            // It is treated like any other connection again.
            socket.send(RawSocket.frame(Packet.ping))
            #expect(socket.receive(4) == [0x82, 2, 0xd0, 0])
        }
    }
}

extension RawSocket {
    /// A client's frame (RFC 6455), masked with zeros.
    static func frame(_ packet: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            packet.count < 126
            ? [0x80 | UInt8(packet.count)]
            : [0x80 | 126, UInt8(packet.count >> 8), UInt8(packet.count & 0xff)]
        return [0x82] + length + [UInt8](repeating: 0, count: 4) + packet
    }

    /// The broker is reported ready once its first listener is; the others follow a moment later.
    static func onceListening(port: UInt16) async throws -> RawSocket {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try RawSocket(port: port)
            } catch let failure as Failure
                where failure.number == ECONNREFUSED && ContinuousClock.now < deadline
            {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// - Returns: whether the broker uses WebSockets from now on.
    func upgrade() throws -> Bool {
        let lines = [
            "GET /mqtt HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: mqtt",
            "Sec-WebSocket-Version: 13", "", "",
        ]
        send(Array(lines.joined(separator: "\r\n").utf8))
        var answer: [UInt8] = []
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = receive(1)
            guard !byte.isEmpty else { return false }
            answer += byte
        }
        return String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 101")
    }
}
