internal import Foundation

/// A person's mail address. Only its form is checked, not its ownership.
public struct EmailAddress: Hashable, Sendable {
    /// Composed (NFC).
    public let text: String

    /// Bytes.
    public static let maximumLength = 254

    /// - Throws: the reason as the end of a sentence, "must …".
    public init(_ text: String) throws(DisplayName.Reason) {
        guard text.utf8.count <= EmailAddress.maximumLength else {
            throw DisplayName.Reason(
                text: "must have at most \(EmailAddress.maximumLength) bytes")
        }
        let composed = text.precomposedStringWithCanonicalMapping
        let parts = composed.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            composed.utf8.count <= EmailAddress.maximumLength
        else { throw DisplayName.Reason(text: "must be an address such as ann@example.org") }
        guard composed.unicodeScalars.allSatisfy(EmailAddress.isAllowed) else {
            throw DisplayName.Reason(text: "must not contain spaces or control characters")
        }
        self.text = composed
    }

    /// Returns the form, composed and in lower case, that all spellings of an address have in
    /// common.
    public static func folded(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.lowercased()
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .unassigned, .privateUse:
            false
        default: !scalar.properties.isWhitespace
        }
    }
}

extension Fields {
    mutating func email(_ field: String) -> EmailAddress? {
        guard let text = string(field) else { return nil }
        do {
            return try EmailAddress(text)
        } catch {
            refuse(field, error.text)
            return nil
        }
    }
}

extension Kind where Value == EmailAddress {
    static let email = Kind.text("an address of at most \(EmailAddress.maximumLength) bytes") {
        text throws(DisplayName.Reason) in try EmailAddress(text)
    }
}
