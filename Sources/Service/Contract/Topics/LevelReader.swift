/// Reads a topic level by level, as the broker separates them: at `/`, byte by byte.
struct LevelReader {
    /// The unread part; also empty if one empty level is left.
    private(set) var rest: Substring
    private(set) var isAtEnd = false

    init(_ topic: String) { rest = topic[...] }

    /// Nil at the end.
    mutating func next() -> Substring? {
        guard !isAtEnd else { return nil }
        let bytes = rest.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else {
            isAtEnd = true
            return rest
        }
        defer { rest = rest[bytes.index(after: slash)...] }
        return rest[..<slash]
    }

    /// Reads the next level if it is the last; otherwise nil.
    mutating func last() -> Substring? {
        guard let level = next() else { return nil }
        return isAtEnd ? level : nil
    }

    /// - Parameter levels: one or more levels.
    /// - Returns: false, with nothing skipped, if other levels follow or nothing comes after these.
    mutating func skip(_ levels: String) -> Bool {
        let bytes = rest.utf8
        guard bytes.starts(with: levels.utf8) else { return false }
        let end = bytes.index(bytes.startIndex, offsetBy: levels.utf8.count)
        guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "/") else { return false }
        rest = rest[bytes.index(after: end)...]
        return true
    }
}
