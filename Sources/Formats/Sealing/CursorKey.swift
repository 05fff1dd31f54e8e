internal import Base64
internal import Crypto
internal import Foundation

/// Seals the position of a list's next page. Clients return it and cannot read it: a row's number
/// would reveal how many rows all users have stored.
///
/// AES-256-GCM (NIST SP 800-38D) with a nonce derived from the text (HMAC-SHA-256), so that the
/// same position always has the same cursor.
public struct CursorKey: Sendable {
    private let sealing: SymmetricKey
    private let nonces: SymmetricKey

    /// In bytes.
    public static let length = 32
    /// The maximum length of a cursor in bytes: more than the longest position has, sealed.
    private static let maximumLength = 256

    /// - Parameter bytes: ``length`` random ones.
    public init(_ bytes: [UInt8]) {
        func key(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: Data(purpose.utf8),
                outputByteCount: CursorKey.length)
        }
        (sealing, nonces) = (key("kith cursor"), key("kith cursor nonce"))
    }

    /// - Parameter holder: the account that may return it.
    /// - Returns: Base64url; nil if it cannot be encrypted.
    public func seal(_ text: String, for holder: String) -> String? {
        let mark = HMAC<SHA256>.authenticationCode(
            for: Array("\(holder) \(text)".utf8), using: nonces)
        do {
            let nonce = try AES.GCM.Nonce(data: Array(mark.prefix(12)))
            let box = try AES.GCM.seal(
                Array(text.utf8), using: sealing, nonce: nonce,
                authenticating: Array(holder.utf8))
            return box.combined.map { Base64URL.encode(Array($0)) }
        } catch {
            return nil
        }
    }

    /// - Returns: nil for anything that was not sealed for that account.
    public func open(_ cursor: String, for holder: String) -> String? {
        guard cursor.utf8.count <= CursorKey.maximumLength,
            let bytes = Base64URL.decode(cursor)
        else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes)
            let text = try AES.GCM.open(box, using: sealing, authenticating: Array(holder.utf8))
            return String(validating: text, as: UTF8.self)
        } catch {
            return nil
        }
    }
}
