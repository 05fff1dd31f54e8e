internal import Foundation

/// A password as it was typed, normalised to NFC so that different keyboards agree.
///
/// Its description reveals nothing, so that it appears in no log.
public struct Password: Hashable, Sendable, CustomStringConvertible {
    /// UTF-8; at least one byte.
    public let bytes: [UInt8]
    private let length: Int

    /// The minimum number of characters of a new password.
    public static let minimumLength = 8
    /// Bytes.
    public static let maximumLength = 1024

    /// Nil for an invalid password: empty, or longer than the maximum.
    public init?(_ text: String) {
        // Composing a text makes it at most three times as long.
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

extension Kind where Value == Password {
    /// A password to compare; any acceptable size is valid.
    static let password = Kind.text("at most \(Password.maximumLength) bytes") {
        text throws(DisplayName.Reason) in
        if let password = Password(text) { return password }
        throw DisplayName.Reason(
            text: text.isEmpty
                ? "must not be empty" : "must have at most \(Password.maximumLength) bytes")
    }

    /// A new password.
    static let newPassword = password.checked { password, _ in
        password.isLongEnough
            ? nil : "must have at least \(Password.minimumLength) characters"
    }
}
