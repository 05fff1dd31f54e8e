/// The text of a chat message: 1 to 4,000 characters of any script, kept unchanged.
///
/// A character is a Unicode scalar ("code point"): their number is the same in every programming
/// language and with every version of Unicode, and it also bounds the bytes (16,000 in UTF-8).
public struct ChatText: Hashable, Sendable {
    public static let maximumLength = 4000

    public let text: String

    /// - Throws: the reason as the end of a sentence, "must …".
    public init(_ text: String) throws(DisplayName.Reason) {
        let scalars = text.unicodeScalars
        guard scalars.count <= ChatText.maximumLength else {
            throw .init(text: "must have at most \(ChatText.maximumLength) characters")
        }
        guard scalars.contains(where: { $0.isVisible }) else {
            throw .init(text: "must not be empty")
        }
        guard !scalars.contains(where: ChatText.isControl) else {
            throw .init(text: "must not contain control characters other than newlines and tabs")
        }
        guard !scalars.contains(where: ChatText.isOverride) else {
            throw .init(text: "must not override the text direction")
        }
        guard ChatText.closesWhatItOpens(scalars) else {
            throw .init(text: "must close every direction change it opens")
        }
        self.text = text
    }

    /// Reads a shorter text of one line.
    ///
    /// - Parameter limit: in Unicode scalars.
    /// - Throws: the reason as the end of a sentence, "must …".
    fileprivate static func line(_ text: String, atMost limit: Int)
        throws(DisplayName.Reason) -> String
    {
        let text = try ChatText(text).text
        guard text.unicodeScalars.count <= limit, !text.contains(where: \.isNewline) else {
            throw DisplayName.Reason(text: "must be one line of at most \(limit) characters")
        }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }

    /// Whether it is an override: LRO and RLO display letters in another order than written. No
    /// script needs them, and after an RLO, `gnp.exe` looks like a picture, `exe.png`.
    private static func isOverride(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{202D}" || scalar == "\u{202E}"
    }

    /// Embeddings and isolates (UAX #9, 2.1 and 2.4) are for text of mixed directions. An unclosed
    /// one would reorder what a client shows after the text.
    private static func closesWhatItOpens(_ scalars: String.UnicodeScalarView) -> Bool {
        var (embeddings, isolates) = (0, 0)
        for scalar in scalars {
            switch scalar {
            case "\u{202A}", "\u{202B}": embeddings += 1
            case "\u{202C}": embeddings = max(0, embeddings - 1)
            case "\u{2066}", "\u{2067}", "\u{2068}": isolates += 1
            case "\u{2069}": isolates = max(0, isolates - 1)
            default: break
            }
        }
        return embeddings == 0 && isolates == 0
    }
}

extension Fields {
    /// Reads a shorter text of one line.
    mutating func line(_ field: String, atMost limit: Int) -> String? {
        guard let line = string(field) else { return nil }
        do throws(DisplayName.Reason) {
            return try ChatText.line(line, atMost: limit)
        } catch {
            refuse(field, error.text)
            return nil
        }
    }

    mutating func line(ifPresent field: String, atMost limit: Int) -> String? {
        self[field] == nil ? nil : line(field, atMost: limit)
    }
}

extension Kind where Value == ChatText {
    static let chatText = Kind.text(
        "1 to \(ChatText.maximumLength) characters, without control characters"
    ) { text throws(DisplayName.Reason) in try ChatText(text) }
}

extension Kind where Value == String {
    /// A shorter text of one line.
    ///
    /// - Parameter limit: in Unicode scalars.
    static func line(atMost limit: Int) -> Kind {
        .text("one line of at most \(limit) characters") { text throws(DisplayName.Reason) in
            try ChatText.line(text, atMost: limit)
        }
    }

    /// The name of a time zone, such as `Europe/Zurich`. Whether it exists is not checked here.
    static let timeZone = Kind.text(
        .rule("a time zone name"), orRefuse: "is not a time zone name"
    ) {
        QuietHours.isName($0) ? $0 : nil
    }
}
