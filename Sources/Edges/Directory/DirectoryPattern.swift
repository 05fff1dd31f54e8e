/// A name or a filter with `{user}` in it, which is replaced by the typed user name.
public struct DirectoryPattern: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A distinguished name (RFC 4514).
        case name
        /// A filter (RFC 4515).
        case filter
    }

    public let kind: Kind
    private let parts: [String]

    /// Nil if the text has no `{user}`, or is invalid with a user in its place.
    public init?(_ text: String, _ kind: Kind) {
        let parts = text.split(separator: "{user}", omittingEmptySubsequences: false)
        guard parts.count > 1, !text.utf8.contains(0) else { return nil }
        (self.kind, self.parts) = (kind, parts.map(String.init))
        let isReadable =
            switch kind {
            case .name: DirectoryText.normalized(name: with("x")) != nil
            case .filter: DirectoryText.isFilter(with("x"))
            }
        guard isReadable else { return nil }
    }

    /// The filter for entries that have the user name in this attribute.
    ///
    /// - Parameter attribute: a valid name (RFC 4512).
    public init(attribute: String) {
        (kind, parts) = (.filter, ["(\(attribute)=", ")"])
    }

    /// Returns the text with a user in it, escaped so that it is only a value.
    func with(_ user: String) -> String {
        let value =
            switch kind {
            case .name: DirectoryText.escaped(name: user)
            case .filter: DirectoryText.escaped(filter: user)
            }
        return parts.joined(separator: value)
    }

    /// A filter that matches every entry that would match with some user.
    var withAnybody: String { parts.joined(separator: "*") }
}
