/// The token of a principal: `{username}.{secret}`, and for a device that of ``DeviceToken``. The
/// username identifies the principal.
public struct PrincipalToken: Hashable, Sendable, CustomStringConvertible {
    /// Not a guest.
    public let principal: Principal
    public let secret: TokenSecret

    public init(_ principal: Principal, secret: TokenSecret) {
        (self.principal, self.secret) = (principal, secret)
    }

    public init(_ principal: Principal, using random: inout some RandomNumberGenerator) {
        self.init(principal, secret: TokenSecret(using: &random))
    }

    /// Nil for anything not written exactly like ``text``.
    public init?(_ text: some StringProtocol) {
        let parts = tokenParts(text)
        guard parts.count == 2 else {
            guard let token = DeviceToken(text) else { return nil }
            self.init(.device(token.device, of: token.user), secret: token.secret)
            return
        }
        guard let principal = Principal(username: String(parts[0])),
            let secret = TokenSecret(parts[1])
        else { return nil }
        self.init(principal, secret: secret)
    }

    /// The token, for its owner only.
    public var text: String {
        if case .device(let device, let user) = principal {
            return DeviceToken(user: user, device: device, secret: secret).text
        }
        return "\(username).\(secret.text)"
    }
    /// The username for connecting.
    public var username: String { principal.username }
    /// The hash that is stored.
    public var hash: [UInt8] { secret.hash }
    public func matches(_ hash: [UInt8]) -> Bool { secret.matches(hash) }

    public var description: String { "a token" }
}
