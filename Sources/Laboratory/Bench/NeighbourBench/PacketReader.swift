/// Finds MQTT packets in the data received from a socket, in pieces of any length.
struct PacketReader {
    struct Packet {
        /// CONNACK 2, PUBLISH 3, PUBACK 4.
        let type: UInt8
        let body: ArraySlice<UInt8>

        /// The packet identifier, in packets that begin with it.
        var identifier: UInt16? {
            let bytes = body.prefix(2)
            return bytes.count < 2 ? nil : bytes.reduce(0) { $0 << 8 | UInt16($1) }
        }
    }

    private var rest: ArraySlice<UInt8> = []

    /// - Returns: the packets that are now complete.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [Packet] {
        rest += bytes
        var packets: [Packet] = []
        while let packet = takeFirst() { packets.append(packet) }
        return packets
    }

    private mutating func takeFirst() -> Packet? {
        guard let first = rest.first else { return nil }
        var (length, shift, start) = (0, 0, rest.startIndex + 1)
        while start < rest.endIndex {
            let byte = rest[start]
            length |= Int(byte & 0x7F) << shift
            (shift, start) = (shift + 7, start + 1)
            guard byte & 0x80 == 0 else { continue }
            guard start + length <= rest.endIndex else { return nil }
            defer { rest = rest[(start + length)...] }
            return Packet(type: first >> 4, body: rest[start..<start + length])
        }
        return nil
    }
}
