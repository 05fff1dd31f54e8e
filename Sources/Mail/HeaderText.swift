internal import Foundation

/// Words of people, as they may stand in a header: no line of a head can end in them.
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

    /// Readers turn words back into what they were: not into a line break or a bell.
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

    /// RFC 2047: none cut inside a character, one a line.
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

    /// Bytes that become 52 characters of base64, 64 with what is around them, and with the header's
    /// name no line of more than 76.
    private static let wordLength = 39
    private static let plainLength = 60
}
