import Glibc
import Testing

@testable import MQTT

/// Bytes of a socket, split into packets.
struct PacketBufferTests {
    /// The packets in these bytes, read in the pieces in which they were sent.
    private func split(_ pieces: [[UInt8]]) throws -> (bodies: [[UInt8]], isEnded: Bool) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let code = socketpair(AF_UNIX, kind, 0, &ends)
        try #require(code == 0)
        defer { for end in ends { close(end) } }
        var buffer = PacketBuffer()
        var bodies: [[UInt8]] = []
        for piece in pieces {
            _ = send(ends[0], piece, piece.count, Int32(MSG_NOSIGNAL))
            if case .end = buffer.read(from: ends[1]) { return (bodies, true) }
            while let packet = buffer.next() { bodies.append(Array(buffer[packet.body])) }
        }
        return (bodies, false)
    }

    @Test func `Packets are read, however they are split`() throws {
        let long = [UInt8](repeating: 7, count: 200)
        let bytes: [UInt8] = [0x30, 0, 0xD0, 3, 1, 2, 3, 0x30, 0xC8, 1] + long
        let expected = [[], [1, 2, 3], long]
        #expect(try split([bytes]).bodies == expected)
        #expect(try split(bytes.map { [$0] }).bodies == expected)
        // A length may be longer than it has to be.
        #expect(try split([[0x30, 0x81, 0x80, 0x80, 0x00, 9]]).bodies == [[9]])
    }

    @Test func `A length field over four bytes ends the stream`() throws {
        let good: [UInt8] = [0x30, 1, 5]
        let broken: [UInt8] = [0x30, 0xFF, 0xFF, 0xFF, 0xFF]
        let ways: [[[UInt8]]] = [
            [good + broken, [1]], [good, broken, [1]], [good] + broken.map { [$0] } + [[1]],
        ]
        for pieces in ways {
            let (bodies, isEnded) = try split(pieces)
            #expect(bodies == [[5]])
            #expect(isEnded)
        }
    }
}
