/// A link by which somebody shows that an account, or an address, is theirs. It works once, until it
/// expires; only its hash is stored.
///
/// Its description reveals nothing, so that it appears in no log.
public struct AccountLink: Sendable, CustomStringConvertible {
    /// What the link is good for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Setting a password: for whoever has none yet, or forgot it.
        case password
        /// The same, asked for by whoever says that they forgot it, and sent to their address.
        case forgotten
        /// Confirming that mail to the account's address arrives.
        case email
    }

    public let purpose: Purpose
    private let secret: TokenSecret

    public init(_ purpose: Purpose, using random: inout some RandomNumberGenerator) {
        self.purpose = purpose
        secret = TokenSecret(using: &random)
    }

    /// The hash that is stored.
    public var hash: [UInt8] { secret.hash }

    /// What the owner opens. The secret is in the fragment, which browsers send to nobody.
    ///
    /// - Parameter page: the page's address without a slash at the end: `https://kith.example.org`.
    public func address(on page: String) -> String { "\(page)/\(view)" }

    /// The same as a view of the page: `#/recover/…`.
    public var view: String { "#/\(word)/\(secret.text)" }

    /// For its owner, and nobody else.
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
        .rule("the end of a link"), orRefuse: "is not the end of a link"
    ) { TokenSecret($0) }
}
