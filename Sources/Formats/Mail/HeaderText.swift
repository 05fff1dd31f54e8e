internal import Foundation

/// Users' text in a form that is safe in a header: it cannot end a header line.
enum HeaderText {
    /// Bytes.
    static let maximumLength = 1000

    /// A subject: as it is if it is plain and short, otherwise encoded words.
    static func unstructured(_ text: String) -> String {
        let text = withoutControls(text)
        return isPlain(text) ? text : encodedWords(text)
    }

    /// A name before an address: in quotes if it is plain and short, otherwise encoded words.
    static func phrase(_ text: String) -> String {
        let text = withoutControls(text)
        guard isPlain(text) else { return encodedWords(text) }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return escaped.utf8.count <= plainLength ? "\"\(escaped)\"" : encodedWords(text)
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= plainLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && !text.contains("=?") && text.first != " " && text.last != " "
    }

    /// Mail programs decode encoded words, which must not yield a line break or a bell.
    private static func withoutControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns encoded words (RFC 2047), one on each line, without dividing a character.
    private static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var piece: [UInt8] = []
        func finish() {
            words.append("=?utf-8?B?\(Data(piece).base64EncodedString())?=")
            piece = []
        }
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if piece.count + bytes.count > wordLength { finish() }
            piece += bytes
        }
        if !piece.isEmpty || words.isEmpty { finish() }
        return words.joined(separator: "\r\n ")
    }

    /// Bytes that become 52 characters of base64, 64 with the delimiters, and with the header's
    /// name a line of at most 76.
    private static let wordLength = 39
    private static let plainLength = 60
}
