internal import Foundation

/// A company's text for people it may not know: one line, without anything that can be opened.
public struct PlainText: Hashable, Sendable {
    public let text: String

    /// - Parameter length: in characters.
    /// - Throws: the reason as the end of a sentence, "must …".
    public init(_ text: String, atMost length: Int) throws(DisplayName.Reason) {
        let text = try DisplayName.checked(text, atMost: length)
        guard !PlainText.namesAddress(text) else { throw PlainText.hasAddress }
        self.text = text
    }

    static let hasAddress = DisplayName.Reason(text: "must not contain links or addresses")

    /// Whether programs that show the text may turn part of it into a link: a web or mail address,
    /// however its characters are written.
    static func namesAddress(_ text: String) -> Bool {
        let plain = text.precomposedStringWithCompatibilityMapping.lowercased()
        if ["://", "www.", "mailto:", "@"].contains(where: plain.contains) { return true }
        let scalars = Array(plain.unicodeScalars)
        return scalars.indices.contains { place in
            guard isDot(scalars[place]), place > 0, isOfName(scalars[place - 1]) else {
                return false
            }
            return scalars[(place + 1)...].prefix(while: \.properties.isAlphabetic).count >= 2
        }
    }

    private static func isDot(_ scalar: Unicode.Scalar) -> Bool { ".\u{3002}".contains(scalar) }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
    }
}

extension String {
    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}

extension Kind where Value == String {
    static func plainText(atMost length: Int) -> Kind {
        .text("one line of at most \(length) characters, without links or addresses") {
            text throws(DisplayName.Reason) in try PlainText(text, atMost: length).text
        }
    }
}

extension Kind where Value == DisplayName {
    /// A name that is shown to people who do not know its owner.
    static let plainName = displayName.checked { name, _ in
        PlainText.namesAddress(name.text) ? PlainText.hasAddress.text : nil
    }
}
