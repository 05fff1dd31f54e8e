public import Crypto
public import CryptoExtras
internal import Foundation

/// A passkey's public key: COSE (RFC 9052), of one of the kinds that authenticators create.
public enum PublicKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case edDSA(Curve25519.Signing.PublicKey)
    /// As created by Windows Hello.
    case rs256(_RSA.Signing.PublicKey)

    /// The numbers of the algorithms (IANA, COSE Algorithms), the preferred one first.
    public static let algorithms: [Int64] = [es256, edDSA, rs256]

    private static let es256: Int64 = -7
    private static let edDSA: Int64 = -8
    private static let rs256: Int64 = -257

    /// The length of the modulus in bytes: 2048 to 4096 bits.
    private static let modulusLengths = 256...512

    /// - Throws: `encoding`; `publicKey`, also if it is not a point of its curve.
    public init(_ bytes: some Collection<UInt8>) throws(WebAuthnError) {
        try self.init(try CBOR(bytes))
    }

    init(_ key: CBOR) throws(WebAuthnError) {
        func field(_ label: Int64, _ lengths: ClosedRange<Int>) throws(WebAuthnError) -> [UInt8] {
            guard let bytes = key[label]?.byteString, lengths.contains(bytes.count) else {
                throw .publicKey
            }
            return bytes
        }
        let (type, algorithm, curve) = (key[1], key[3], key[-1])
        do {
            switch (type, algorithm) {
            case (CBOR(2), CBOR(PublicKey.es256)) where curve == CBOR(1):
                let point = [4] + (try field(-2, 32...32)) + (try field(-3, 32...32))
                self = .es256(try P256.Signing.PublicKey(x963Representation: point))
            case (CBOR(1), CBOR(PublicKey.edDSA)) where curve == CBOR(6):
                self = .edDSA(
                    try Curve25519.Signing.PublicKey(rawRepresentation: try field(-2, 32...32)))
            case (CBOR(3), CBOR(PublicKey.rs256)):
                self = .rs256(
                    try _RSA.Signing.PublicKey(
                        n: try field(-1, PublicKey.modulusLengths), e: try field(-2, 1...4)))
            default: throw WebAuthnError.publicKey
            }
        } catch {
            throw .publicKey
        }
    }

    /// Returns whether the signature of SHA-256 of the message (Ed25519: of the message) is this
    /// key's.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            do {
                let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
                return key.isValidSignature(signature, for: message)
            } catch {
                return false
            }
        case .edDSA(let key): return key.isValidSignature(signature, for: message)
        case .rs256(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: message,
                padding: .insecurePKCS1v1_5)
        }
    }
}
