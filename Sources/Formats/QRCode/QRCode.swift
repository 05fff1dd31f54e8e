/// A QR code (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10.
public struct QRCode: Sendable {
    /// From top to bottom, with true for dark; without the quiet zone.
    public let rows: [[Bool]]

    /// - Parameter mask: one of the eight, for tests; otherwise the one that is easiest to read.
    /// - Returns: nil if the text is too long (213 bytes).
    public init?(_ text: String, mask: Int? = nil) {
        let bytes = Array(text.utf8)
        guard let layout = Layout.smallest(for: bytes.count) else { return nil }
        let words = layout.words(bytes)
        let drawings = (mask.map { [$0] } ?? Array(0..<8)).map { mask in
            Drawing(layout, words, mask: mask).rows
        }
        let penalties = drawings.map(QRCode.penalty)
        guard let best = drawings.indices.min(by: { penalties[$0] < penalties[$1] }) else {
            return nil
        }
        rows = drawings[best]
    }

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

    /// Returns the penalty; the lower, the easier the code is to read (7.8.3).
    private static func penalty(_ rows: [[Bool]]) -> Int {
        let size = rows.count
        let columns = rows.indices.map { x in rows.map { $0[x] } }
        var penalty = (rows + columns).reduce(0) { $0 + linePenalty($1) }
        var dark = 0
        for y in 0..<size {
            for x in 0..<size {
                if rows[y][x] { dark += 1 }
                guard x + 1 < size, y + 1 < size else { continue }
                let others = [rows[y][x + 1], rows[y + 1][x], rows[y + 1][x + 1]]
                if others.allSatisfy({ $0 == rows[y][x] }) { penalty += 3 }
            }
        }
        // Ten for each five per cent by which the share of dark squares differs from a half.
        let away = abs(dark * 20 - size * size * 10)
        penalty += max(0, (away + size * size - 1) / (size * size) - 1) * 10
        return penalty
    }

    private static let finders: [[Bool]] = ["10111010000", "00001011101"].map {
        $0.map { $0 == "1" }
    }

    private static func linePenalty(_ line: [Bool]) -> Int {
        var penalty = 0
        var begin = 0
        for end in 1...line.count where end == line.count || line[end] != line[begin] {
            if end - begin >= 5 { penalty += end - begin - 2 }
            begin = end
        }
        for begin in 0...(line.count - 11) where finders.contains(Array(line[begin..<(begin + 11)]))
        {
            penalty += 40
        }
        return penalty
    }
}
