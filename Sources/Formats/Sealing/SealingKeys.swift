internal import Base64
internal import Crypto
internal import Foundation

/// The keys that encrypt stored data: AES-256 in Galois/Counter Mode (NIST SP 800-38D).
///
/// New data is encrypted with the newest key. Older keys open data that is not yet re-encrypted.
public struct SealingKeys: Sendable {
    /// By its number, ascending.
    private let keys: [(id: Int64, key: SymmetricKey)]

    /// Something encrypted, and the number of the key that opens it.
    public struct Sealed: Hashable, Sendable {
        public let key: Int64
        /// Nonce, ciphertext and tag.
        public let bytes: [UInt8]

        public init(key: Int64, bytes: [UInt8]) { (self.key, self.bytes) = (key, bytes) }
    }

    /// Reads keys as ``newLine(_:using:)`` writes them, a key in a line; lines may also be
    /// separated by commas. Empty lines, and those that begin with `#`, are ignored.
    ///
    /// - Returns: nil if there is no key, if one is damaged, or if two have the same number.
    public init?(_ text: String) {
        var keys: [Int64: SymmetricKey] = [:]
        for line in text.split(whereSeparator: { $0.isNewline || $0 == "," }) {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 2, let id = Int64(first), id > 0, keys[id] == nil,
                let bytes = Base64URL.decode(String(words[1])), bytes.count == SealingKeys.length
            else { return nil }
            keys[id] = SymmetricKey(data: bytes)
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns a new key, as a separate line, without the line's end.
    public static func newLine(
        _ id: Int64, using random: inout some RandomNumberGenerator
    ) -> String {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        return "\(id) \(Base64URL.encode(bytes))"
    }

    /// The number of the key that encrypts.
    public var newest: Int64 { keys[keys.count - 1].id }

    private static let length = 32
    private static let nonceLength = 12

    // MARK: Encrypting

    /// - Parameters:
    ///   - context: the subject of the content. It is opened only with the same context, so that it
    ///     does not pass for another's.
    ///   - random: for the nonce. A key is to seal fewer than 2³² things.
    public func seal(
        _ content: [UInt8], as context: String, using random: inout some RandomNumberGenerator
    ) -> Sealed {
        let (id, key) = keys[keys.count - 1]
        let nonce = (0..<SealingKeys.nonceLength).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        do {
            let box = try AES.GCM.seal(
                content, using: key, nonce: AES.GCM.Nonce(data: nonce),
                authenticating: Array(context.utf8))
            guard let bytes = box.combined else { preconditionFailure("the nonce is as usual") }
            return Sealed(key: id, bytes: Array(bytes))
        } catch {
            preconditionFailure("key and nonce have the right lengths")
        }
    }

    /// - Returns: nil if the key is not there, or if anything was changed.
    public func open(_ sealed: Sealed, as context: String) -> [UInt8]? {
        guard let key = keys.first(where: { $0.id == sealed.key })?.key else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.bytes)
            return Array(try AES.GCM.open(box, using: key, authenticating: Array(context.utf8)))
        } catch {
            return nil
        }
    }

    // MARK: Hashing

    /// Returns a keyed hash (HMAC, RFC 2104) by which the same text is found again, and which
    /// reveals nothing without the key.
    public func mark(of text: String) -> [UInt8] { mark(of: text, newest) }

    /// Returns all marks that may have been made of the text, the newest key's first.
    public func marks(of text: String) -> [[UInt8]] {
        keys.reversed().map { mark(of: text, $0.id) }
    }

    private func mark(of text: String, _ id: Int64) -> [UInt8] {
        guard let key = derived(id, for: "kith mark") else {
            preconditionFailure("it is one of the keys")
        }
        return Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    public func has(_ id: Int64) -> Bool { keys.contains { $0.id == id } }

    /// Returns a key derived for another purpose (HKDF, RFC 5869); nil if there is no key with this
    /// number.
    func derived(_ id: Int64, for purpose: String) -> SymmetricKey? {
        keys.first { $0.id == id }.map {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: $0.key, info: Array(purpose.utf8),
                outputByteCount: SealingKeys.length)
        }
    }
}
