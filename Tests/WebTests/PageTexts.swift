import Foundation

/// The texts of a module of the page's: what goes through `t`, `tn` and `tx` of
/// `pages/js/language.js`, and what does not.
struct PageTexts {
    struct Text: Hashable {
        /// As the catalogues have it.
        let key: String
        let isCounted: Bool
    }

    private let path: String
    private let tokens: [PageToken]
    private(set) var texts: [Text] = []
    /// The faults in its calls of `t`, `tn` and `tx`, a line each.
    private(set) var complaints: [String] = []
    /// The tokens that go through them.
    private var covered: Set<Int> = []

    init(_ path: String, _ source: String) {
        self.path = path
        tokens = PageToken.all(in: source)
        for index in tokens.indices {
            guard let name = tokens[index].word, ["t", "tn", "tx"].contains(name),
                index + 1 < tokens.count, tokens[index + 1].isSign("("),
                index == 0 || !isDefinition(index)
            else { continue }
            read(name, at: index + 2)
        }
    }

    private func isDefinition(_ index: Int) -> Bool {
        tokens[index - 1].isSign(".") || tokens[index - 1].word == "function"
    }

    /// Where the argument ends that begins here: the place of its comma or parenthesis.
    private func end(of start: Int) -> Int {
        var depth = 0
        for index in start..<tokens.count {
            guard case .sign(let sign) = tokens[index] else { continue }
            if depth == 0, sign == "," || sign == ")" { return index }
            if "([{".contains(sign) { depth += 1 }
            if ")]}".contains(sign) { depth -= 1 }
        }
        return tokens.count
    }

    private mutating func read(_ name: String, at start: Int) {
        var next = name == "tn" ? end(of: start) + 1 : start
        var key: String?
        for _ in 0..<(name == "tn" ? 2 : 1) {
            let last = end(of: next)
            key = literal(next..<last)
            next = last + 1
        }
        guard let key else {
            complaints.append("\(path) has words that are no text of its own in \(name)()")
            return
        }
        texts.append(Text(key: key, isCounted: name == "tn"))
        let isLast = next > tokens.count || tokens[next - 1].isSign(")")
        guard let values = isLast ? [] : names(from: next) else { return }
        let needed = PageTexts.placeholders(of: key).subtracting(name == "tn" ? ["count"] : [])
        for missing in needed.subtracting(values).sorted() {
            complaints.append("\(path) gives no \(missing) to “\(key)”")
        }
    }

    /// Texts that are put together from literals; nil for anything else.
    private mutating func literal(_ range: Range<Int>) -> String? {
        var whole = ""
        for index in range {
            if let text = tokens[index].text {
                whole += text
                covered.insert(index)
            } else if !tokens[index].isSign("+") {
                return nil
            }
        }
        return range.isEmpty ? nil : whole
    }

    /// The names of the values of an object; nil if they are not written there.
    private func names(from start: Int) -> Set<String>? {
        guard tokens[start].isSign("{") else { return nil }
        var names: Set<String> = []
        var next = start + 1
        while next < tokens.count, !tokens[next].isSign("}") {
            guard let name = tokens[next].word else { return nil }
            names.insert(name)
            var depth = 0
            while next < tokens.count {
                if case .sign(let sign) = tokens[next] {
                    if depth == 0, sign == "," || sign == "}" { break }
                    if "([{".contains(sign) { depth += 1 }
                    if ")]}".contains(sign) { depth -= 1 }
                }
                next += 1
            }
            if next < tokens.count, tokens[next].isSign(",") { next += 1 }
        }
        return names
    }

    static func placeholders(of text: String) -> Set<String> {
        Set(text.matches(of: #/\{(\w+)\}/#).map { String($0.1) })
    }
}

// MARK: Texts that bypass them

extension PageTexts {
    /// Texts that a person reads and no catalogue has, a line each.
    var untranslated: [String] {
        tokens.indices.compactMap { index in
            guard case .text(let text, let line) = tokens[index], !covered.contains(index),
                PageTexts.isForPeople(text), !isForMachines(index)
            else { return nil }
            return "\(path):\(line) says “\(text)” without t()"
        }
    }

    /// Words, with a space between them or a capital letter.
    private static func isForPeople(_ text: String) -> Bool {
        let words = text.replacing("{}", with: " ")
        if text.contains(#/^(?:https?:|[\/.#(<\[]|--)/#) || names.contains(text) { return false }
        let isSentence = words.contains(#/[A-Za-z]{2,}[,.:]? [A-Za-z“]{2,}/#)
        let isCapital = text.contains(#/^\s*[A-Z][a-z]+(?:$|[^A-Za-z\-])/#)
        return (isSentence || isCapital) && !words.contains(classes)
    }

    /// Classes of elements, and events of the map.
    private static var classes: Regex<Substring> {
        #/^(?:sos-dialog|graticule|move|zoomend|button|badge|icon-button|small|muted|row|card|list|stack|quiet|dialog|map|grow|panel)[a-z0-9 -]*$/#
    }

    /// Names that are the same in every language, and names of what browsers and files have.
    private static let names: Set<String> = [
        "Kith", "OwnTracks", "Android", "Windows", "Mac", "Linux", "Edge", "Opera", "Firefox",
        "Chrome", "Safari", "Notification", "Escape", "Enter", "Tab", "Home", "End", "Date",
        "Trackpoint", "Time", "Speed", "Backspace",
        // What a person looks for who can read nothing else on the page.
        "Language",
        // How the service's texts begin.
        "{} has renamed the group to ", "must be", "Bearer {}",
    ]

    private static let attributes: Set<String> = [
        "class", "className", "type", "role", "autocomplete", "d", "viewBox", "points", "rel",
        "href", "accept",
        "style", "id", "name", "transform", "fill", "stroke", "allow",
    ]
    private static let calls: Set<String> = [
        "querySelector", "querySelectorAll", "matchMedia", "closest", "matches", "call",
        "setProperty", "addEventListener", "DateTimeFormat", "append", "setAttribute",
    ]

    /// Whether the tokens before or after a text show that no one reads it.
    private func isForMachines(_ index: Int) -> Bool {
        let isCompared = { (place: Int) in
            place >= 0 && place + 1 < tokens.count && tokens[place].isSign("=")
                && tokens[place + 1].isSign("=")
        }
        guard index > 0 else { return true }
        if isCompared(index - 2) || isCompared(index + 1) { return true }
        let before = tokens[index - 1]
        if ["case", "from", "import"].contains(before.word) { return true }
        guard index > 1 else { return false }
        let name = tokens[index - 2].word ?? tokens[index - 2].text ?? ""
        if before.isSign(":") { return PageTexts.attributes.contains(name) }
        if before.isSign("(") { return name != "append" && PageTexts.calls.contains(name) }
        // A key of an object.
        return index + 1 < tokens.count && tokens[index + 1].isSign(":")
            && (before.isSign("{") || before.isSign(","))
    }
}
