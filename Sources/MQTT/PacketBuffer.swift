internal import Glibc

/// What has come over a socket, cut into packets (MQTT 5, 2.1).
struct PacketBuffer {
    private var bytes = [UInt8](repeating: 0, count: PacketBuffer.room)
    private var start = 0
    private var end = 0

    /// Bytes that are read at once; it grows where a packet is larger.
    private static let room = 1 << 16

    /// A whole packet, until more is read.
    struct Packet {
        /// Its kind and flags.
        let head: UInt8
        /// With head and length.
        let whole: Range<Int>
        let body: Range<Int>

        var kind: UInt8 { head >> 4 }
    }

    enum Reading {
        case some
        /// Nothing waits at the socket.
        case nothing
        /// The other end has closed it, or it is broken.
        case end
    }

    subscript(index: Int) -> UInt8 { bytes[index] }
    subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    func number(at index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }

    /// The next packet, if all of it is there.
    mutating func next() -> Packet? {
        var (length, shift, index) = (0, 0, start + 1)
        while true {
            // A length of more than four bytes is none: the rest is left to who reads it.
            guard index < end, shift < 28 else { return nil }
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

    /// Reads what fits, where no whole packet is left.
    mutating func read(from socket: Int32) -> Reading {
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
