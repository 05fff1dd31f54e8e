public import Contract

/// A file of the operator's that the page cannot read, and runs without.
public enum PageFault: Hashable, Sendable, CustomStringConvertible {
    /// The map's file, and its error.
    case map(String, reason: String)
    /// A file of terms or of a privacy statement.
    case text(String)

    public var concern: Concern {
        switch self {
        case .map: .mapUnreadable
        case .text: .textUnreadable
        }
    }

    public var description: String {
        switch self {
        case .map(let file, let reason): "The map \(file) cannot be used: \(reason)."
        case .text(let file): "The file \(file) cannot be read (web.terms, web.privacy)."
        }
    }
}
