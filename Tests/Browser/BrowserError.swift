/// The browser did not do it, or the page was not as it should be.
public struct BrowserError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// What a page should not have done: an error in its log, a violation of its policy, an alert.
public struct Complaint: Sendable, Hashable, CustomStringConvertible {
    public enum Source: Sendable {
        case console, exception, network, policy, dialog, other
    }

    public let source: Source
    public let text: String
    public let url: String

    public var description: String { "\(source): \(text) \(url)" }
}
