internal import Foundation

/// A password as somebody typed it, in the one form (NFC) in which different keyboards agree.
///
/// It says nothing of itself, so that it gets into no log.
public struct Password: Hashable, Sendable, CustomStringConvertible {
    /// UTF-8; at least one.
    public let bytes: [UInt8]
    private let length: Int

    /// Characters of a new one.
    public static let minimumLength = 8
    /// Bytes.
    public static let maximumLength = 1024

    /// Nil for one that nobody can have: empty, or beyond the maximum.
    public init?(_ text: String) {
        // Composing makes no text longer than three times its length.
        guard text.utf8.count <= 3 * Password.maximumLength else { return nil }
        let composed = text.precomposedStringWithCanonicalMapping
        guard (1...Password.maximumLength).contains(composed.utf8.count) else { return nil }
        bytes = Array(composed.utf8)
        length = composed.count
    }

    public var isLongEnough: Bool { length >= Password.minimumLength }

    public func isName(_ name: Name) -> Bool {
        String(decoding: bytes, as: UTF8.self).lowercased() == name.text
    }

    public var description: String { "a password" }
}

extension Fields {
    /// One that is to be compared; anything of a password's size will do.
    public mutating func password(_ field: String) -> Password? {
        guard let text = string(field) else { return nil }
        if let password = Password(text) { return password }
        let reason =
            text.isEmpty
            ? "must not be empty" : "must have at most \(Password.maximumLength) bytes"
        refuse(field, reason)
        return nil
    }

    /// One that somebody wants to have from now on.
    public mutating func newPassword(_ field: String, of user: Name?) -> Password? {
        guard let password = password(field) else { return nil }
        guard password.isLongEnough else {
            refuse(field, "must have at least \(Password.minimumLength) characters")
            return nil
        }
        if let user, password.isName(user) {
            refuse(field, "must not be the user name")
            return nil
        }
        return password
    }
}
