/// A part of a module of the page's.
enum PageToken: Equatable {
    case word(String)
    /// A quoted text, and the line where it begins. In the text of a template, `{}` stands for
    /// each expression, which follows in parentheses.
    case text(String, line: Int)
    case sign(Character)

    var word: String? { if case .word(let word) = self { word } else { nil } }
    var text: String? { if case .text(let text, _) = self { text } else { nil } }

    func isSign(_ sign: Character) -> Bool { self == .sign(sign) }

    /// Enough of JavaScript's grammar to find texts: comments and regular expressions are left out.
    static func all(in source: String) -> [PageToken] {
        var reader = PageTokenReader(source)
        reader.read(until: nil)
        return reader.tokens
    }
}

private struct PageTokenReader {
    private let characters: [Character]
    private var place = 0
    private var line = 1
    private(set) var tokens: [PageToken] = []

    init(_ source: String) { characters = Array(source) }

    private func peek(_ ahead: Int = 0) -> Character? {
        place + ahead < characters.count ? characters[place + ahead] : nil
    }

    private mutating func next() -> Character {
        defer { place += 1 }
        if characters[place].isNewline { line += 1 }
        return characters[place]
    }

    /// - Parameter end: the sign that closes what was opened before; nil: the end of the source.
    mutating func read(until end: Character?) {
        var depth = 0
        while let character = peek() {
            if character == "}", end == "}", depth == 0 { return }
            switch character {
            case "/" where peek(1) == "/": while let next = peek(), !next.isNewline { skip(next) }
            case "/" where peek(1) == "*": skipComment()
            case "/" where isPatternNext: skipPattern()
            case "\"", "'": quote(character)
            case "`": template()
            case _ where character.isLetter || character == "_" || character == "$": word()
            case _ where character.isWhitespace: skip(character)
            default:
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                tokens.append(.sign(next()))
            }
        }
    }

    private mutating func skip(_: Character) { _ = next() }

    private mutating func skipComment() {
        while peek() != nil, !(peek() == "*" && peek(1) == "/") { _ = next() }
        place = min(place + 2, characters.count)
    }

    /// Whether a slash begins a regular expression: a quotient follows a value.
    private var isPatternNext: Bool {
        switch tokens.last {
        case .word(let word): ["return", "case", "of", "in", "typeof", "await"].contains(word)
        case .text: false
        case .sign(let sign): sign != ")" && sign != "]" && sign != "}" && !sign.isNumber
        case nil: true
        }
    }

    private mutating func skipPattern() {
        _ = next()
        var isInClass = false
        while let character = peek(), !character.isNewline {
            _ = next()
            if character == "\\" { _ = next() }
            if character == "[" { isInClass = true }
            if character == "]" { isInClass = false }
            if character == "/", !isInClass { break }
        }
        tokens.append(.word("pattern"))
    }

    private mutating func word() {
        var word = ""
        while let character = peek(),
            character.isLetter || character.isNumber || character == "_" || character == "$"
        {
            word.append(next())
        }
        tokens.append(.word(word))
    }

    private mutating func quote(_ mark: Character) {
        let start = line
        _ = next()
        var text = ""
        while let character = peek(), character != mark { text += piece(character) }
        if peek() != nil { _ = next() }
        tokens.append(.text(text, line: start))
    }

    private mutating func template() {
        let start = line
        _ = next()
        var text = ""
        let index = tokens.count
        while let character = peek(), character != "`" {
            guard character == "$", peek(1) == "{" else {
                text += piece(character)
                continue
            }
            place += 2
            text += "{}"
            tokens.append(.sign("("))
            read(until: "}")
            tokens.append(.sign(")"))
            if peek() != nil { _ = next() }
        }
        if peek() != nil { _ = next() }
        tokens.insert(.text(text, line: start), at: index)
    }

    /// A character of a text, or what an escape stands for.
    private mutating func piece(_ character: Character) -> String {
        _ = next()
        guard character == "\\", peek() != nil else { return String(character) }
        let escaped = next()
        switch escaped {
        case "n": return "\n"
        case "t": return "\t"
        case "u":
            let digits = String(characters[place..<min(place + 4, characters.count)])
            place = min(place + 4, characters.count)
            return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        default: return String(escaped)
        }
    }
}
