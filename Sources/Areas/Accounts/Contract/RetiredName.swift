internal import Crypto

/// The retained mark of a deleted account's name, which prevents reuse of the name: HMAC-SHA256
/// (RFC 2104) under a key of the installation. The key only allows testing whether a given name was
/// in use.
public enum RetiredName {
    /// - Parameter key: 32 random bytes.
    public static func mark(of name: Name, key: [UInt8]) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(name.text.utf8), using: SymmetricKey(data: key))
        return Array(code)
    }
}
