import Crypto
import Foundation

/// A push's `Authorization` header, checked as a push service does (RFC 8292, RFC 7515, RFC 7518).
public struct CheckedAuthorization {
    public struct Claims: Codable, Equatable {
        public var aud: String
        public var exp: Int64
        public var sub: String

        public init(aud: String, exp: Int64, sub: String) {
            (self.aud, self.exp, self.sub) = (aud, exp, sub)
        }
    }

    /// In base64url, as the page subscribes with it.
    public let publicKey: String
    public let claims: Claims

    /// - Throws: if a push service would refuse it.
    public init(_ header: String) throws {
        guard let match = header.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/)
        else { throw Refused() }
        let (_, head, claims, signature, key) = match.output
        publicKey = String(key)
        let signed = Data("\(head).\(claims)".utf8)
        guard
            try P256.Signing.PublicKey(x963Representation: bytes(publicKey)).isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: bytes(String(signature))),
                for: signed),
            try JSONDecoder().decode([String: String].self, from: Data(bytes(String(head))))
                == ["typ": "JWT", "alg": "ES256"]
        else { throw Refused() }
        self.claims = try JSONDecoder().decode(Claims.self, from: Data(bytes(String(claims))))
    }

    struct Refused: Error {}
}
