internal import Foundation
internal import JSON

/// The name of a person or a group as they chose it: shown to people, never part of a topic.
public struct DisplayName: Hashable, Sendable, CustomStringConvertible {
    public static let maximumLength = 64

    /// Composed (NFC), without white space at either end.
    public let text: String

    /// - Throws: the reason as the end of a sentence, "must …".
    public init(_ text: String) throws(Reason) {
        self.text = try DisplayName.checked(text, atMost: DisplayName.maximumLength)
    }

    /// Checks a line of text that is shown to people.
    ///
    /// - Parameter length: in characters; there may be ``bytesOfCharacter`` bytes for each.
    /// - Returns: composed, without white space at either end.
    /// - Throws: the reason as the end of a sentence, "must …".
    static func checked(_ text: String, atMost length: Int) throws(Reason) -> String {
        // Composing a text never makes it less than a third as long, and is not done for what is too
        // long in any case.
        guard text.utf8.count <= 3 * bytesOfCharacter * length else { throw tooLong(length) }
        // Text that comes as JSON has been checked for that.
        guard text.isStreamSafe else {
            throw Reason(text: "must not have so many combining marks in a row")
        }
        let composed = text.precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard composed.unicodeScalars.contains(where: { $0.isVisible }) else {
            throw Reason(text: "must not be empty")
        }
        guard composed.count <= length, composed.utf8.count <= bytesOfCharacter * length else {
            throw tooLong(length)
        }
        guard composed.unicodeScalars.allSatisfy(DisplayName.isHarmless) else {
            throw Reason(text: "must not contain control characters")
        }
        return composed
    }

    /// At most, on average: a letter with its marks, or an emoji of several parts.
    private static let bytesOfCharacter = 8

    private static func tooLong(_ length: Int) -> Reason {
        Reason(text: "must have at most \(length) characters")
    }

    public struct Reason: Error, Hashable, Sendable {
        public let text: String
    }

    public var description: String { text }

    /// Whether it is not a control character, a character that changes the direction of the text
    /// around it, a line break, or no character at all.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            false
        default:
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                && ![0x200B, 0x200E, 0x200F, 0x061C, 0xFEFF].contains(scalar.value)
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is visible.
    var isVisible: Bool { !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint }
}

extension Fields {
    public mutating func displayName(_ field: String) -> DisplayName? {
        guard let text = string(field) else { return nil }
        do {
            return try DisplayName(text)
        } catch {
            refuse(field, error.text)
            return nil
        }
    }
}
