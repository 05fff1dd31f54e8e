/// Writes pictures in the Portable Network Graphics format (ISO/IEC 15948), without compression:
/// they are small, and no foreign file ever has to be decoded.
enum PNG {
    /// - Parameter pixels: red, green and blue, row by row.
    static func encode(_ pixels: [UInt8], side: Int) -> [UInt8] {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits for each of three colours.
        chunk("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 2, 0, 0, 0], to: &png)
        var rows: [UInt8] = []
        for row in 0..<side {
            rows.append(0)  // No filter.
            rows += pixels[(row * side * 3)..<((row + 1) * side * 3)]
        }
        chunk("IDAT", stored(rows), to: &png)
        chunk("IEND", [], to: &png)
        return png
    }

    private static func chunk(_ type: String, _ data: [UInt8], to png: inout [UInt8]) {
        png += bytes(UInt32(data.count))
        let body = Array(type.utf8) + data
        png += body
        png += bytes(checksum(body))
    }

    /// Returns one block of DEFLATE (RFC 1951) that is stored uncompressed, in the zlib envelope
    /// (RFC 1950).
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        precondition(data.count <= 65_535, "a stored block is no longer than that")
        let length = UInt16(data.count)
        var block: [UInt8] = [0x78, 0x01, 0x01]
        for value in [length, ~length] {
            block += [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return block + data + bytes(high << 16 | low)
    }

    /// Returns CRC-32, computed bit by bit.
    private static func checksum(_ data: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in data {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
