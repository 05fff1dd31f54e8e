/// The browser failed, or the page was not as expected.
public struct BrowserError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Something that a page should not do: an error in its log, a policy violation, an alert dialog.
public struct Complaint: Sendable, Hashable, CustomStringConvertible {
    public enum Source: Sendable {
        case console, exception, network, policy, dialog, other
    }

    public let source: Source
    public let text: String
    public let url: String

    public var description: String { "\(source): \(text) \(url)" }
}
