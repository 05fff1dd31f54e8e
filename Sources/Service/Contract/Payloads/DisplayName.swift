internal import Foundation
internal import JSON

/// The chosen name of a person or a group: shown to people, never part of a topic.
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
        // Composing never reduces a text to less than a third, and is skipped for a text that is
        // too long in any case.
        guard text.utf8.count <= 3 * bytesOfCharacter * length else { throw tooLong(length) }
        // Text from JSON has already been checked for that.
        guard text.isStreamSafe else {
            throw Reason(text: "must not have so many combining marks in a row")
        }
        let composed = text.withoutInvisible.precomposedStringWithCanonicalMapping
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

    /// The maximum average: a letter with its marks, or an emoji of several parts.
    private static let bytesOfCharacter = 8

    private static func tooLong(_ length: Int) -> Reason {
        Reason(text: "must have at most \(length) characters")
    }

    public struct Reason: Error, Hashable, Sendable {
        public let text: String
    }

    public var description: String { text }

    /// Whether it is none of these: a control character, a character that changes the surrounding
    /// text's direction, a line break, a zero-width space, or not an assigned character.
    fileprivate static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            false
        default:
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                && ![0x200B, 0x200E, 0x200F, 0x061C, 0xFEFF].contains(scalar.value)
        }
    }
}

extension String {
    /// The text without invisible characters, by which two names that look the same could differ.
    /// Joiners stay within emoji and between letters of scripts that use them, and so do emoji
    /// colour selectors.
    fileprivate var withoutInvisible: String {
        let scalars = Array(unicodeScalars)
        guard scalars.contains(where: \.properties.isDefaultIgnorableCodePoint) else { return self }
        var kept = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if scalar.properties.isDefaultIgnorableCodePoint, DisplayName.isHarmless(scalar),
                !scalar.joins(kept.last, next)
            {
                continue
            }
            kept.append(scalar)
        }
        return String(kept)
    }
}

extension Unicode.Scalar {
    /// Whether it is a joiner, or an emoji selector, that makes a difference between the two.
    fileprivate func joins(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
        guard let before else { return false }
        switch value {
        case 0xFE0F: return before.properties.isEmoji
        case 0x200D:
            if before.isPartOfEmoji, after?.isPartOfEmoji == true { return true }
            fallthrough
        case 0x200C:
            return before.isOfJoiningScript && after?.isOfJoiningScript == true
        case 0xE0020...0xE007F:
            // A flag of a country's subdivision.
            return before.value == 0x1F3F4 || (0xE0020...0xE007F).contains(before.value)
        default: return false
        }
    }

    private var isPartOfEmoji: Bool {
        properties.isEmojiPresentation || properties.isEmojiModifier || value == 0xFE0F
            || properties.isEmoji && value > 0x7F
    }

    /// Whether the script is Arabic or related, or one of India and its neighbours.
    private var isOfJoiningScript: Bool {
        (0x0600...0x08FF).contains(value) || (0x0900...0x0DFF).contains(value)
            || (0x1000...0x109F).contains(value) || (0x1780...0x18AF).contains(value)
    }

    /// Whether it is visible.
    var isVisible: Bool { !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint }
}

extension Kind where Value == DisplayName {
    static let displayName = Kind.text("a name of at most \(DisplayName.maximumLength) characters")
    {
        text throws(DisplayName.Reason) in try DisplayName(text)
    }
}
