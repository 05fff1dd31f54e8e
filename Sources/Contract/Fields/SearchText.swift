internal import Foundation

/// Text in which others look for a part, and such a part: composed and without the difference of
/// upper and lower case. It is made once, when what it describes changes, and compared byte by byte.
public struct SearchText: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ text: String) {
        bytes = Array(text.precomposedStringWithCanonicalMapping.lowercased().utf8)
    }

    /// Several texts; no part is found across the border of two.
    public init(_ texts: [String?]) {
        self.init(texts.compactMap(\.self).joined(separator: "\n"))
    }

    /// In bytes: what it costs to look through it.
    public var length: Int { bytes.count }

    /// Whether the part is somewhere in it; an empty one is.
    public func contains(_ part: SearchText) -> Bool {
        guard let first = part.bytes.first else { return true }
        guard bytes.count >= part.bytes.count else { return false }
        return (0...bytes.count - part.bytes.count).contains { start in
            bytes[start] == first
                && bytes[start..<start + part.bytes.count].elementsEqual(part.bytes)
        }
    }
}
