/// A word, a number or a sign of opening hours.
enum OpeningHoursToken: Hashable, Sendable {
    /// In small letters.
    case word(String)
    /// Up to two digits.
    case number(Int)
    /// Minutes since midnight, to 48:00.
    case time(Int)
    /// `24/7`.
    case always
    /// Something in quotes.
    case comment
    case comma, semicolon, hyphen, colon, plus, opening, closing

    /// Returns nil if the text contains anything else. Spaces separate tokens and have no other
    /// meaning.
    static func tokens(_ text: String) -> [OpeningHoursToken]? {
        var rest = Array(text.unicodeScalars)[...]
        var tokens: [OpeningHoursToken] = []
        while let first = rest.first {
            if spaces.contains(first) {
                rest.removeFirst()
            } else if let token = next(&rest, first) {
                tokens.append(token)
            } else {
                return nil
            }
        }
        return tokens
    }

    /// Includes pasted ones: no-break spaces.
    private static let spaces: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n", "\u{A0}", "\u{202F}"]

    private static func next(_ rest: inout ArraySlice<Unicode.Scalar>, _ first: Unicode.Scalar)
        -> OpeningHoursToken?
    {
        switch first {
        case "0"..."9": return numeric(&rest)
        case "a"..."z", "A"..."Z":
            let word = String(String.UnicodeScalarView(prefix(&rest, while: isLetter)))
            return .word(word.lowercased())
        case "\"":
            rest.removeFirst()
            guard let end = rest.firstIndex(of: "\"") else { return nil }
            rest = rest[(end + 1)...]
            return .comment
        default:
            rest.removeFirst()
            return sign(first)
        }
    }

    private static func sign(_ scalar: Unicode.Scalar) -> OpeningHoursToken? {
        switch scalar {
        case ",": .comma
        case ";": .semicolon
        case ":": .colon
        case "+": .plus
        case "[": .opening
        case "]": .closing
        // Hyphens, dashes and the minus sign.
        case "-", "\u{2010}"..."\u{2014}", "\u{2212}": .hyphen
        default: nil
        }
    }

    /// `24/7`, `8:00` or `24`.
    private static func numeric(_ rest: inout ArraySlice<Unicode.Scalar>) -> OpeningHoursToken? {
        if rest.starts(with: "24/7".unicodeScalars) {
            rest.removeFirst(4)
            return .always
        }
        guard let number = number(&rest) else { return nil }
        var after = rest
        guard after.popFirst() == ":", after.first.map(isDigit) ?? false else {
            return .number(number)
        }
        let digits = after.prefix(while: isDigit).count
        guard digits == 2, let minutes = self.number(&after), minutes < 60 else { return nil }
        rest = after
        let time = number * 60 + minutes
        return time <= 2 * OpeningRule.day ? .time(time) : nil
    }

    /// Returns nil for more than two digits.
    private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) -> Int? {
        let digits = prefix(&rest, while: isDigit)
        return digits.count <= 2
            ? digits.reduce(0) { $0 * 10 + Int($1.value - Unicode.Scalar("0").value) } : nil
    }

    private static func prefix(
        _ rest: inout ArraySlice<Unicode.Scalar>, while belongs: (Unicode.Scalar) -> Bool
    ) -> ArraySlice<Unicode.Scalar> {
        let prefix = rest.prefix(while: belongs)
        rest.removeFirst(prefix.count)
        return prefix
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
}
