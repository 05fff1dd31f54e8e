internal import CQREncode

/// A QR code (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10.
public struct QRCode: Sendable {
    /// From top to bottom, with true for dark; without the quiet zone.
    public let rows: [[Bool]]

    /// - Returns: nil if the text is too long (213 bytes) or empty.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= QRCode.longest,
            let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let squares = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        rows = stride(from: 0, to: squares.count, by: width).map { start in
            unsafe squares[start..<(start + width)].map { $0 & 1 == 1 }
        }
    }

    /// The bytes that version 10 holds, whose code fits into 80 columns.
    private static let longest = 213

    /// Lines for a terminal, two rows in each: light blocks with a quiet zone of four, so that they
    /// are read on a dark background as well as on a light one once the colours are set.
    public var halfBlocks: [String] {
        let quiet = 4
        let size = rows.count + 2 * quiet
        func isDark(_ x: Int, _ y: Int) -> Bool {
            let (x, y) = (x - quiet, y - quiet)
            return rows.indices.contains(y) && rows.indices.contains(x) && rows[y][x]
        }
        return stride(from: 0, to: size, by: 2).map { y in
            String(
                (0..<size).map { x -> Character in
                    switch (isDark(x, y), y + 1 < size && isDark(x, y + 1)) {
                    case (true, true): " "
                    case (true, false): "▄"
                    case (false, true): "▀"
                    case (false, false): "█"
                    }
                })
        }
    }
}
