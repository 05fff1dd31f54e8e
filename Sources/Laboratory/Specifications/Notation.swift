/// The notation of a JSON value in the contract's tables, such as `{group,before?,what:"a"|"b"}`.
indirect enum Notation: Hashable, Sendable {
    /// - `isOpen`: there are other members, which the table describes in words.
    case object([Member], isOpen: Bool)
    /// - `of`: nil if the table does not state the elements.
    case array(of: Notation?)
    case literal(String)
    case bool(Bool)
    case null
    case choice([Notation])
    /// The name of a payload, or a word for people.
    case word(String)

    struct Member: Hashable, Sendable {
        let name: String
        let isOptional: Bool
        /// Nil if there is only the name.
        let value: Notation?
    }

    /// Reads the text between backticks at the beginning of a cell, and the alternatives after an
    /// "or".
    ///
    /// - Returns: nil if the cell begins with something else; `rest`: the words after it.
    static func cell(_ text: String) -> (alternatives: [Notation], rest: String)? {
        var alternatives: [Notation] = []
        var rest = Substring(text)
        while rest.hasPrefix("`"), let end = rest.dropFirst().firstIndex(of: "`") {
            guard let notation = Notation(String(rest[rest.index(after: rest.startIndex)..<end]))
            else { break }
            alternatives.append(notation)
            rest = rest[rest.index(after: end)...]
            guard rest.hasPrefix(" or `{") else { break }
            rest = rest.dropFirst(" or ".count)
        }
        return alternatives.isEmpty ? nil : (alternatives, String(rest))
    }

    /// Nil if the text is not such a notation.
    init?(_ text: String) {
        var reader = Reader(rest: Substring(text.replacing("\\|", with: "|")))
        guard let notation = reader.choice(), reader.rest.isEmpty else { return nil }
        self = notation
    }

    private struct Reader {
        var rest: Substring

        mutating func take(_ text: String) -> Bool {
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }

        mutating func choice() -> Notation? {
            var values: [Notation] = []
            repeat {
                guard let value = value() else { return nil }
                values.append(value)
            } while take("|")
            return values.count == 1 ? values[0] : .choice(values)
        }

        private mutating func value() -> Notation? {
            if take("{") { return object() }
            if take("[") { return array() }
            if take("\"") {
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                defer { rest = rest[rest.index(after: end)...] }
                return .literal(String(rest[..<end]))
            }
            let word = rest.prefix { !",{}[]|\"…:".contains($0) }
            guard !word.isEmpty else { return nil }
            rest = rest.dropFirst(word.count)
            switch word {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default: return .word(String(word))
            }
        }

        private mutating func object() -> Notation? {
            var (members, isOpen) = ([Member](), false)
            if take("}") { return .object([], isOpen: false) }
            repeat {
                if take("…") {
                    isOpen = true
                    continue
                }
                let name = rest.prefix { $0.isLetter || $0.isNumber }
                guard !name.isEmpty else { return nil }
                rest = rest.dropFirst(name.count)
                let isOptional = take("?")
                var value: Notation?
                if take(":") {
                    // `to:…`: described in words.
                    if !take("…") {
                        value = choice()
                        if value == nil { return nil }
                    }
                }
                members.append(
                    Member(name: String(name), isOptional: isOptional, value: value))
            } while take(",")
            return take("}") ? .object(members, isOpen: isOpen) : nil
        }

        private mutating func array() -> Notation? {
            var elements: [Notation] = []
            repeat {
                if take("…") { continue }
                guard let element = choice() else { return nil }
                elements.append(element)
                _ = take("…")
            } while take(",")
            guard take("]") else { return nil }
            return .array(of: elements.count == 1 ? elements[0] : nil)
        }
    }
}
