internal import Crypto

/// The secret part of a token: 256 random bits in base64url, without padding.
///
/// Only its hash is stored. Its description reveals nothing, so that it never appears in logs.
public struct TokenSecret: Hashable, Sendable, CustomStringConvertible {
    let text: String

    /// Nil for anything but the 43 characters that encode 32 bytes; the last character has two
    /// unused bits, which must be 0.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == TokenSecret.length,
            bytes.allSatisfy({ TokenSecret.alphabet.contains($0) }),
            let last = bytes.last, let value = TokenSecret.alphabet.firstIndex(of: last),
            value & 3 == 0
        else { return nil }
        self.text = String(text)
    }

    public init(using random: inout some RandomNumberGenerator) {
        let letters = TokenSecret.alphabet
        var bytes = (1..<TokenSecret.length).map { _ in letters[Int(random.next() >> 58)] }
        bytes.append(letters[Int(random.next() >> 60) << 2])
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The secret, for storage where it need not be secret.
    public var stored: String { text }

    /// SHA-256 of the text.
    public var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// Compares in constant time.
    public func matches(_ hash: [UInt8]) -> Bool { areEqual(self.hash, hash) }

    public var description: String { "a secret" }

    /// Another secret, derived from this one with the salt.
    public func derived(_ salt: TokenSecret) -> TokenSecret {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(salt.text.utf8), using: SymmetricKey(data: Array(text.utf8)))
        return TokenSecret(bytes: Array(code))
    }

    /// - Parameter bytes: 32 of them.
    private init(bytes: [UInt8]) {
        var letters: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                letters.append(TokenSecret.alphabet[bits >> count & 63])
            }
        }
        letters.append(TokenSecret.alphabet[bits << (6 - count) & 63])
        text = String(decoding: letters, as: UTF8.self)
    }

    static let length = 43
    /// RFC 4648, 5.
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// The token with which a user's device connects: `{user}.{device}.{secret}`.
public struct DeviceToken: Hashable, Sendable, CustomStringConvertible {
    public let user: Name
    public let device: Name
    public let secret: TokenSecret

    public init(user: Name, device: Name, secret: TokenSecret) {
        self.user = user
        self.device = device
        self.secret = secret
    }

    /// Nil for anything not written exactly like ``text``.
    public init?(_ text: some StringProtocol) {
        let parts = tokenParts(text)
        guard parts.count == 3, let user = Name(parts[0]), let device = Name(parts[1]),
            let secret = TokenSecret(parts[2])
        else { return nil }
        self.init(user: user, device: device, secret: secret)
    }

    public init(user: Name, device: Name, using random: inout some RandomNumberGenerator) {
        self.init(user: user, device: device, secret: TokenSecret(using: &random))
    }

    /// The token, for its owner only.
    public var text: String { "\(user).\(device).\(secret.text)" }
    /// The hash that is stored.
    public var hash: [UInt8] { secret.hash }
    public func matches(_ hash: [UInt8]) -> Bool { secret.matches(hash) }

    public var description: String { "a token" }
}

/// The parts between the dots, byte by byte.
func tokenParts(_ text: some StringProtocol) -> [Substring] {
    String(text).utf8.split(
        separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false
    ).map { Substring($0) }
}

/// Whether two hashes are equal; compares in constant time.
public func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
