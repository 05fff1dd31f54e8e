public import Crypto
internal import Foundation

/// A challenge that need not be stored: it includes its time and a seal.
///
/// 8 bytes of time, 16 random ones, 32 of HMAC-SHA256 over both and the purpose.
public struct Challenge: Hashable, Sendable {
    public let bytes: [UInt8]
    /// When it was made, in milliseconds since 1970.
    public let madeAt: Int64

    private static let chanceLength = 16
    private static let sealLength = 32

    /// - Parameters:
    ///   - purpose: the purpose and the user that it is for.
    ///   - now: milliseconds since 1970.
    public init(
        for purpose: String, at now: Int64, _ key: SymmetricKey,
        using random: inout some RandomNumberGenerator
    ) {
        let chance = (0..<Challenge.chanceLength).map { _ in
            UInt8(truncatingIfNeeded: random.next() >> 56)
        }
        let content = withUnsafeBytes(of: now.bigEndian) { Array($0) } + chance
        (bytes, madeAt) = (content + Challenge.seal(content, purpose, key), now)
    }

    /// Nil if it was made for another purpose, or not with this key.
    public init?(_ bytes: [UInt8], for purpose: String, _ key: SymmetricKey) {
        let content = Array(bytes.dropLast(Challenge.sealLength))
        guard content.count == 8 + Challenge.chanceLength,
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes.suffix(Challenge.sealLength),
                authenticating: Challenge.sealed(content, purpose), using: key)
        else { return nil }
        self.bytes = bytes
        madeAt = content.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func sealed(_ content: [UInt8], _ purpose: String) -> [UInt8] {
        content + Array(purpose.utf8)
    }

    private static func seal(_ content: [UInt8], _ purpose: String, _ key: SymmetricKey) -> [UInt8]
    {
        Array(HMAC<SHA256>.authenticationCode(for: sealed(content, purpose), using: key))
    }
}
