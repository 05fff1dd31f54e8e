internal import Crypto
internal import Foundation

/// A secret that a webhook's receiver shares, and the signatures made with it: the scheme of
/// Standard Webhooks (standardwebhooks.com), symmetric.
public struct WebhookSecret: Sendable {
    private let bytes: [UInt8]

    /// In bytes.
    public static let lengths = 24...64

    /// - Parameter bytes: random ones, 24 to 64.
    public init?(bytes: [UInt8]) {
        guard WebhookSecret.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// - Parameter text: `whsec_` and base64.
    public init?(_ text: String) {
        guard text.hasPrefix(WebhookSecret.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(WebhookSecret.prefix.count)))
        else { return nil }
        self.init(bytes: Array(data))
    }

    /// Secret: as shown to the receiver, once.
    public var text: String { WebhookSecret.prefix + Data(bytes).base64EncodedString() }

    /// Returns the headers that prove a message's origin, and that it is not an old one.
    ///
    /// - Parameters:
    ///   - id: the message's id, the same each time it is sent: visible ASCII without a dot.
    ///   - now: seconds since 1970, when it is sent this time.
    ///   - body: exactly as it is sent.
    /// - Returns: nil if the id is not such a text: then the signature could also be another
    ///   message's.
    public func headers(id: String, at now: Int64, body: [UInt8])
        -> [(name: String, value: String)]?
    {
        guard !id.isEmpty,
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") })
        else { return nil }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(id).\(now).".utf8) + body, using: SymmetricKey(data: bytes))
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(now)"),
            ("webhook-signature", "v1," + Data(code).base64EncodedString()),
        ]
    }

    private static let prefix = "whsec_"
}
