/// The table of topics below one root, for lookup by kind.
final class TopicPatterns: Sendable {
    /// By ``index(of:)``.
    private let patterns: [TopicPattern]
    private let rows: [TopicRow]
    /// The text between the names.
    private let pieces: [[String]]
    private let listed: [Topic.ListedKind]
    private let listedIndexes: [Topic.ListedKind: Int]

    init(root: [Substring]) {
        let parsed = Topic.ParsedKind.allCases.map { Topic.Kind.parsed($0) }
        listed = TopicRow.all.compactMap { row in
            if case .listed(let kind) = row.kind { kind } else { nil }
        }
        rows = (parsed + listed.map { .listed($0) }).map { kind in
            let rows = TopicRow.all.filter { $0.kind == kind }
            precondition(rows.count == 1, "\(kind) has \(rows.count) rows in TopicRow.all")
            return rows[0]
        }
        patterns = rows.map { TopicPattern($0.pattern, root: root) }
        pieces = patterns.map(\.pieces)
        listedIndexes = Dictionary(
            listed.enumerated().map { ($1, parsed.count + $0) }, uniquingKeysWith: { $1 })
        precondition(
            pieces.allSatisfy { (1...4).contains($0.count) }, "a topic has at most three names")
        precondition(
            patterns[parsed.count...].allSatisfy(\.isBoundByNames),
            "a listed topic has no placeholders but names, each once")
    }

    private func index(of kind: Topic.Kind) -> Int {
        switch kind {
        case .parsed(let kind): return kind.rawValue
        case .listed(let kind):
            guard let index = listedIndexes[kind] else {
                preconditionFailure("\(kind.name) has no row in TopicRow.all")
            }
            return index
        }
    }

    func row(of kind: Topic.Kind) -> TopicRow { rows[index(of: kind)] }
    func pattern(of kind: Topic.Kind) -> TopicPattern { patterns[index(of: kind)] }

    // MARK: Printing

    func string(_ kind: Topic.Kind, _ words: Topic.Words) -> String {
        let pieces = pieces[index(of: kind)]
        var text = pieces[0]
        for (index, piece) in pieces.dropFirst().enumerated() {
            text += index == 0 ? words.first : index == 1 ? words.second : words.third
            text += piece
        }
        return text
    }

    func string(_ kind: Topic.Kind, _ names: TopicPattern.Bindings) -> String {
        let texts = pattern(of: kind).names.map { level in
            guard let text = names.text(of: level) else {
                preconditionFailure("a topic of the kind \(kind) lacks a name")
            }
            return text
        }
        var words = Topic.Words()
        for (index, text) in texts.enumerated() {
            switch index {
            case 0: words.first = text
            case 1: words.second = text
            default: words.third = text
            }
        }
        return string(kind, words)
    }

    // MARK: Parsing

    /// Nil for a text that is not a listed topic.
    func listed(_ text: String) -> Topic? {
        let levels = TopicLevels(text).levels
        // For patterns they are wildcards, and in a topic invalid.
        guard !text.utf8.contains(where: { "+#".utf8.contains($0) }) else { return nil }
        for kind in listed {
            if let names = pattern(of: .listed(kind)).match(levels) { return .listed(kind, names) }
        }
        return nil
    }
}
