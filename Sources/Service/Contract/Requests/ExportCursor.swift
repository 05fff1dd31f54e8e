/// The place where the next page of an export begins. Opaque to clients.
public struct ExportCursor: Hashable, Sendable, LosslessStringConvertible {
    /// A list of data stored about a person.
    public let section: String
    /// The place in the list; nil: its beginning. Only the section itself understands it.
    public let place: String?

    public init(section: String, place: String? = nil) {
        self.section = section
        self.place = place
    }

    /// Nil for anything but a ``description``.
    public init?(_ text: String) {
        guard text.utf8.count <= ExportCursor.maximumLength else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let section = parts.first, !section.isEmpty else { return nil }
        self.section = String(Substring(section))
        place = parts.count > 1 ? String(Substring(parts[1])) : nil
        guard place?.isEmpty != true else { return nil }
    }

    public var description: String { place.map { "\(section).\($0)" } ?? section }

    /// Bytes.
    private static let maximumLength = 100
}
