public import Crypto
internal import Foundation

/// The key that encrypts one push message (RFC 8291), and no other.
public struct MessageKey: Sendable {
    private let privateKey: P256.KeyAgreement.PrivateKey
    private let salt: [UInt8]

    /// - Parameters:
    ///   - privateKey: a new one.
    ///   - salt: 16 random bytes.
    public init(_ privateKey: P256.KeyAgreement.PrivateKey, salt: [UInt8]) throws(WebPushError) {
        guard salt.count == 16 else { throw .salt }
        self.privateKey = privateKey
        self.salt = salt
    }

    /// Uses the system's randomness.
    public init() {
        privateKey = P256.KeyAgreement.PrivateKey()
        salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
    }

    /// Encrypts with the content coding `aes128gcm` (RFC 8188): one record, with its own header.
    func encrypt(
        _ message: [UInt8], for subscription: PushSubscription, padding: Int
    ) throws(WebPushError) -> [UInt8] {
        let ours = Array(privateKey.publicKey.x963Representation)
        do {
            let keys = try contentKeys(for: subscription, ours: ours)
            let record = message + [MessageKey.lastRecord] + [UInt8](repeating: 0, count: padding)
            let sealed = try AES.GCM.seal(
                record, using: keys.key, nonce: AES.GCM.Nonce(data: keys.nonce))
            return salt + MessageKey.recordSize + [UInt8(ours.count)] + ours
                + sealed.ciphertext + sealed.tag
        } catch {
            throw .cryptography
        }
    }

    /// RFC 8291, 3.4, and RFC 8188, 2.2 and 2.3.
    private func contentKeys(
        for subscription: PushSubscription, ours: [UInt8]
    ) throws -> (key: SymmetricKey, nonce: [UInt8]) {
        let theirs = Array(subscription.publicKey.x963Representation)
        let shared = try privateKey.sharedSecretFromKeyAgreement(with: subscription.publicKey)
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: Array("WebPush: info\0".utf8) + theirs + ours, outputByteCount: 32)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt,
            info: Array("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt,
            info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        return (key, nonce.withUnsafeBytes { Array($0) })
    }

    /// Follows the last record's content; zeros may follow it.
    private static let lastRecord: UInt8 = 2
    /// 4,096, in network order.
    private static let recordSize: [UInt8] = [0, 0, 16, 0]
}
