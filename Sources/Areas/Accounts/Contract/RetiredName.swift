internal import Crypto

/// What is kept of the name of a deleted account, so that nobody gets the name again: HMAC-SHA256
/// (RFC 2104) under a key of the installation. With the key one can find out whether a given name
/// was somebody's, and nothing else.
public enum RetiredName {
    /// - Parameter key: 32 random bytes.
    public static func mark(of name: Name, key: [UInt8]) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(name.text.utf8), using: SymmetricKey(data: key))
        return Array(code)
    }
}
