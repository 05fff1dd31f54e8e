internal import Base64
internal import Crypto
internal import Foundation

/// The key by which push services recognize this server (RFC 8292). Browsers subscribe to its
/// public half: without it, or with another one, all subscriptions are lost.
public struct VAPIDKey: Sendable {
    private let privateKey: P256.Signing.PrivateKey

    /// Makes a new key, using the system's randomness.
    public init() { privateKey = P256.Signing.PrivateKey() }

    /// - Parameter text: PEM, or 32 bytes in base64url, as other programs print it.
    public init(_ text: String) throws(WebPushError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            if text.hasPrefix("-----BEGIN") {
                privateKey = try P256.Signing.PrivateKey(pemRepresentation: text)
            } else {
                guard let bytes = Base64URL.decode(text) else { throw WebPushError.vapidKey }
                privateKey = try P256.Signing.PrivateKey(rawRepresentation: bytes)
            }
        } catch {
            throw .vapidKey
        }
    }

    /// Secret: the private key as PEM (PKCS #8).
    public var pem: String { privateKey.pemRepresentation }

    /// Secret: the private key, 32 bytes in base64url.
    public var base64URL: String { Base64URL.encode(privateKey.rawRepresentation) }

    /// The public key, as the page passes it to `pushManager.subscribe({applicationServerKey})`: a
    /// point, uncompressed, in base64url.
    public var publicKey: String { Base64URL.encode(privateKey.publicKey.x963Representation) }

    /// Returns the value of the header `Authorization`, for all messages to the subscription's
    /// origin while it is valid.
    ///
    /// - Parameters:
    ///   - contact: where the push service can reach the operator: `mailto:…` or `https:…`.
    ///   - now: seconds since 1970.
    ///   - duration: at most a day (RFC 8292, 2).
    public func authorization(
        for subscription: PushSubscription, contact: String, at now: Int64,
        validFor duration: Duration = .seconds(12 * 3600)
    ) throws(WebPushError) -> String {
        guard contact.hasPrefix("mailto:") || contact.hasPrefix("https:"),
            contact.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"\\".utf8.contains($0) })
        else { throw .contact }
        let expiry = now + min(duration, .seconds(24 * 3600)).components.seconds
        let header = #"{"typ":"JWT","alg":"ES256"}"#
        let claims =
            #"{"aud":"\#(subscription.origin)","exp":\#(expiry),"sub":"\#(contact)"}"#
        let signed =
            Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        do {
            let signature = try privateKey.signature(for: Array(signed.utf8)).rawRepresentation
            return "vapid t=\(signed).\(Base64URL.encode(signature)), k=\(publicKey)"
        } catch {
            throw .cryptography
        }
    }
}
