public import Tracking

/// The token with which a program sees what a group sees: `observer:{observer}.{secret}`.
public struct ObserverToken: Hashable, Sendable, CustomStringConvertible {
    public let observer: UUIDv7
    public let secret: TokenSecret

    public init(_ observer: UUIDv7, secret: TokenSecret) {
        self.observer = observer
        self.secret = secret
    }

    /// Nil for anything not written exactly like ``text``.
    public init?(_ text: some StringProtocol) {
        let parts = tokenParts(text)
        guard parts.count == 2, let secret = TokenSecret(parts[1]),
            let observer = ObserverToken.observer(ofUsername: String(parts[0]))
        else { return nil }
        self.init(observer, secret: secret)
    }

    /// For whoever runs the program, and nobody else.
    public var text: String { "\(username).\(secret.text)" }
    /// The name with which it connects.
    public var username: String { ObserverToken.username(of: observer) }
    /// The hash that is stored.
    public var hash: [UInt8] { secret.hash }
    public func matches(_ hash: [UInt8]) -> Bool { secret.matches(hash) }

    public var description: String { "a token" }

    public static func username(of observer: UUIDv7) -> String { "\(prefix)\(observer)" }

    /// Nil for anything not written exactly like ``username(of:)``.
    public static func observer(ofUsername text: String) -> UUIDv7? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        let observer = UUIDv7(String(Substring(rest)))
        return observer?.description.utf8.elementsEqual(rest) == true ? observer : nil
    }

    private static let prefix = "observer:"
}
