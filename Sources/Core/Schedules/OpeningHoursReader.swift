/// Reads the rules of opening hours, from left to right, with one token of lookahead.
struct OpeningHoursReader {
    private let tokens: [OpeningHoursToken]
    private var index = 0

    private init(_ tokens: [OpeningHoursToken]) { self.tokens = tokens }

    /// Returns nil if any part is not understood.
    static func read(_ text: String) -> [OpeningRule]? {
        guard let tokens = OpeningHoursToken.tokens(text) else { return nil }
        var reader = OpeningHoursReader(tokens)
        return reader.rules()
    }

    // MARK: Tokens

    var token: OpeningHoursToken? { index < tokens.count ? tokens[index] : nil }
    var following: OpeningHoursToken? {
        index + 1 < tokens.count ? tokens[index + 1] : nil
    }

    mutating func take(_ token: OpeningHoursToken) -> Bool {
        guard self.token == token else { return false }
        index += 1
        return true
    }

    mutating func takeNumber(_ range: ClosedRange<Int>) -> Int? {
        guard case .number(let number) = token, range.contains(number) else { return nil }
        index += 1
        return number
    }

    private mutating func takeTime() -> Int? {
        guard case .time(let minutes) = token else { return nil }
        index += 1
        return minutes
    }

    /// Reads a word with a meaning: a month, for instance.
    mutating func takeWord<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
        guard case .word(let word) = token, let meaning = meaning(word) else { return nil }
        index += 1
        return meaning
    }

    /// Reads a comma if it continues a list.
    mutating func takeComma(if continues: (OpeningHoursReader) -> Bool) -> Bool {
        guard token == .comma, continues(self) else { return false }
        index += 1
        return true
    }

    // MARK: Rules

    private mutating func rules() -> [OpeningRule]? {
        var rules: [OpeningRule] = []
        var isAdditional = false
        while token != nil {
            // `…;` and `…; ;` are also in use.
            if !isAdditional, take(.semicolon) { continue }
            guard var rule = rule() else { return nil }
            rule.isAdditional = isAdditional
            rules.append(rule)
            isAdditional = false
            switch token {
            case nil: return rules
            case .semicolon: index += 1
            case .comma:
                // Otherwise it would separate days, or months.
                guard endsWithTimeOrStatus else { return nil }
                index += 1
                isAdditional = true
            default: return nil
            }
        }
        return isAdditional ? nil : rules
    }

    private var endsWithTimeOrStatus: Bool {
        switch tokens[index - 1] {
        case .time, .plus, .comment, .always: true
        case .word(let word): OpeningHoursReader.status(word) != nil
        default: false
        }
    }

    private mutating func rule() -> OpeningRule? {
        let start = index
        var rule = OpeningRule()
        if !take(.always) {
            guard readDates(&rule) else { return nil }
            if index > start { _ = take(.colon) }
            guard readWeekdays(&rule) else { return nil }
            if index > start, tokens[index - 1] != .colon { _ = take(.colon) }
            guard readSpans(&rule) else { return nil }
        }
        if let status = takeWord(OpeningHoursReader.status) {
            rule.status = status
            _ = take(.comment)
        } else if take(.comment) {
            rule.status = .unknown
        }
        return index > start && tokens[index - 1] != .colon ? rule : nil
    }

    private static func status(_ word: String) -> OpeningHours.Status? {
        switch word {
        case "open": .open
        case "off", "closed": .closed
        case "unknown": .unknown
        default: nil
        }
    }

    // MARK: Times

    /// Reads `08:00-12:00,13:00-19:00`, `18:00-26:00`, `19:00+`, `12:00-23:00+`, if there are any.
    private mutating func readSpans(_ rule: inout OpeningRule) -> Bool {
        guard case .time = token else { return true }
        var spans: [OpeningRule.Span] = []
        repeat {
            guard let from = takeTime(), from <= OpeningRule.day else { return false }
            var to = from
            if take(.hyphen) {
                guard let time = takeTime() else { return false }
                to = time > from ? time : time + OpeningRule.day
                // `24:00-48:00` is the limit.
                guard to > from, to <= 2 * OpeningRule.day else { return false }
                spans.append(OpeningRule.Span(from: from, to: to))
            } else if token != .plus {
                return false
            }
            if take(.plus) {
                spans.append(OpeningRule.Span(from: to, to: openEnd(to), isOpenEnd: true))
            }
        } while takeComma { reader in
            if case .time = reader.following { true } else { false }
        }
        rule.spans = spans.map { span in
            guard span.isOpenEnd else { return span }
            // Later times of the rule are known.
            let next = spans.lazy.filter { !$0.isOpenEnd && $0.from >= span.from }.map(\.from).min()
            return OpeningRule.Span(
                from: span.from, to: min(span.to, next ?? span.to), isOpenEnd: true)
        }
        return true
    }

    /// Returns until when it may be open after a time: see ``OpeningHours``.
    private func openEnd(_ minute: Int) -> Int {
        switch minute {
        case ..<(17 * 60): OpeningRule.day
        case ..<(22 * 60): minute + 10 * 60
        // Also past midnight.
        default: min(minute + 8 * 60, 2 * OpeningRule.day)
        }
    }
}
