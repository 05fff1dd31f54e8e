/// A link by which a person proves that an account or an address is theirs. It works once, until it
/// expires; only its hash is stored.
///
/// Its description reveals nothing, so that it appears in no log.
public struct AccountLink: Sendable, CustomStringConvertible {
    /// The use of the link.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Setting a password: for a person who has none yet or forgot it.
        case password
        /// The same, requested by a person who forgot the password, and sent to their address.
        case forgotten
        /// Confirming that the account's address receives mail.
        case email
    }

    public let purpose: Purpose
    private let secret: TokenSecret

    public init(_ purpose: Purpose, using random: inout some RandomNumberGenerator) {
        self.purpose = purpose
        secret = TokenSecret(using: &random)
    }

    public var hash: [UInt8] { secret.hash }

    /// Returns the address that the owner opens. The secret is in the fragment, which browsers
    /// never send.
    ///
    /// - Parameter page: the page's address without a slash at the end: `https://kith.example.org`.
    public func address(on page: String) -> String { "\(page)/\(view)" }

    /// The address as a view of the page: `#/recover/…`.
    public var view: String { "#/\(word)/\(secret.text)" }

    /// The secret, for its owner only.
    public var token: String { secret.text }

    private var word: String {
        switch purpose {
        case .password, .forgotten: "recover"
        case .email: "verify"
        }
    }

    public var description: String { "a link" }
}

extension Kind where Value == TokenSecret {
    static let link = Kind.text(
        .rule("the last part of a link"), orRefuse: "is not a link's last part"
    ) { TokenSecret($0) }
}
