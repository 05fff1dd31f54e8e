internal import Base64
public import Crypto

/// A browser's address for push messages, and the keys with which only it can read them: the data
/// of `PushSubscription.toJSON()`.
public struct PushSubscription: Sendable {
    public let endpoint: String
    /// The browser's key for this subscription.
    public let publicKey: P256.KeyAgreement.PublicKey
    /// 16 bytes.
    public let authenticationSecret: [UInt8]
    /// Scheme, host and port of the endpoint (RFC 6454), to which a VAPID token is addressed.
    public let origin: String

    /// In bytes.
    public static let maximumEndpoint = 1024

    /// - Parameters:
    ///   - p256dh: base64url of a point of P-256, uncompressed: 65 bytes.
    ///   - auth: base64url of 16 bytes.
    public init(endpoint: String, p256dh: String, auth: String) throws(WebPushError) {
        guard endpoint.utf8.count <= PushSubscription.maximumEndpoint,
            let origin = PushSubscription.origin(of: endpoint)
        else { throw .endpoint }
        guard let point = Base64URL.decode(p256dh), point.count == 65, point[0] == 4 else {
            throw .publicKey
        }
        guard let secret = Base64URL.decode(auth), secret.count == 16 else {
            throw .authenticationSecret
        }
        do {
            publicKey = try P256.KeyAgreement.PublicKey(x963Representation: point)
        } catch {
            throw .publicKey  // Not on the curve.
        }
        self.endpoint = endpoint
        authenticationSecret = secret
        self.origin = origin
    }

    private static func origin(of endpoint: String) -> String? {
        let scheme = "https://"
        guard endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            endpoint.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        let authority = endpoint.dropFirst(scheme.count)
            .prefix { !"/?#".contains($0) }.lowercased()
        // The port follows the last colon, unless that is inside an IPv6 address.
        let hasPort = authority.contains(":") && !authority.hasSuffix("]")
        let parts = hasPort ? authority.split(separator: ":", omittingEmptySubsequences: false) : []
        let host = hasPort ? parts.dropLast().joined(separator: ":") : authority
        guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]"),
            host.hasPrefix("[") || !host.contains(":"),
            host.utf8.allSatisfy({ Base64URL.isDigit($0) || ".:[]".utf8.contains($0) })
        else { return nil }
        guard let port = parts.last else { return scheme + host }
        guard port.utf8.first != UInt8(ascii: "0"), let number = UInt16(port),
            port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return number == 443 ? scheme + host : "\(scheme)\(host):\(number)"
    }
}
