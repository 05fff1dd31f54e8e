internal import Glibc

/// Bytes received over a socket, split into packets (MQTT 5, 2.1).
struct PacketBuffer {
    private var bytes = [UInt8](repeating: 0, count: PacketBuffer.room)
    private var start = 0
    private var end = 0
    /// Whether the next bytes are not a packet: its length would have more than four bytes (MQTT 5,
    /// 1.5.5).
    private var isBroken = false

    /// How many bytes are read at once; the buffer grows for larger packets.
    private static let room = 1 << 16

    /// A complete packet, valid until more is read.
    struct Packet {
        /// The first byte, with type and flags.
        let head: UInt8
        /// Including the first byte and the length.
        let whole: Range<Int>
        let body: Range<Int>

        var kind: UInt8 { head >> 4 }
    }

    enum Reading {
        case some
        /// The socket has nothing to read.
        case nothing
        /// The peer has closed the connection, or it is broken.
        case end
    }

    subscript(index: Int) -> UInt8 { bytes[index] }
    subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    func number(at index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }

    /// Returns the next packet if it is complete.
    mutating func next() -> Packet? {
        var (length, shift, index) = (0, 0, start + 1)
        while true {
            guard shift < 28 else {
                isBroken = true
                return nil
            }
            guard index < end else { return nil }
            let byte = bytes[index]
            length |= Int(byte & 127) << shift
            index += 1
            shift += 7
            if byte < 128 { break }
        }
        guard end - index >= length else { return nil }
        defer { start = index + length }
        return Packet(
            head: bytes[start], whole: start..<index + length, body: index..<index + length)
    }

    /// Reads as much as fits, to be called when no complete packet is left.
    mutating func read(from socket: Int32) -> Reading {
        // More data would never make it a packet.
        guard !isBroken else { return .end }
        if start > 0 {
            bytes.replaceSubrange(0..<end - start, with: bytes[start..<end])
            (start, end) = (0, end - start)
        }
        if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        let offset = end
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(
                socket, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset, 0)
        }
        if count > 0 {
            end += count
            return .some
        }
        return count < 0 && [EAGAIN, EINTR].contains(errno) ? .nothing : .end
    }
}
