internal import Foundation

/// A searchable text, or a search term: composed and case-folded. It is created once, when its
/// source changes, and compared byte by byte.
public struct SearchText: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ text: String) {
        bytes = Array(text.precomposedStringWithCanonicalMapping.lowercased().utf8)
    }

    /// Several texts; matches never cross the boundary between two.
    public init(_ texts: [String?]) {
        self.init(texts.compactMap(\.self).joined(separator: "\n"))
    }

    /// The length in bytes: the cost of searching it.
    public var length: Int { bytes.count }

    /// Whether the text contains the part; an empty part always matches.
    public func contains(_ part: SearchText) -> Bool {
        guard let first = part.bytes.first else { return true }
        guard bytes.count >= part.bytes.count else { return false }
        return (0...bytes.count - part.bytes.count).contains { start in
            bytes[start] == first
                && bytes[start..<start + part.bytes.count].elementsEqual(part.bytes)
        }
    }
}
