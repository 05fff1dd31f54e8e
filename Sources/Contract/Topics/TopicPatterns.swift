/// The table of topics below one root, for lookup by kind.
final class TopicPatterns: Sendable {
    private let patterns: [TopicPattern]
    private let rows: [TopicRow]
    /// The text between the names.
    private let pieces: [[String]]

    init(root: [Substring]) {
        rows = Topic.Kind.allCases.map { kind in
            let rows = TopicRow.all.filter { $0.kind == kind }
            precondition(rows.count == 1, "\(kind) has \(rows.count) rows in TopicRow.all")
            return rows[0]
        }
        patterns = rows.map { TopicPattern($0.pattern, root: root) }
        pieces = patterns.map(\.pieces)
        precondition(
            pieces.allSatisfy { (1...4).contains($0.count) }, "a topic has at most three names")
    }

    func row(of kind: Topic.Kind) -> TopicRow { rows[kind.rawValue] }
    func pattern(of kind: Topic.Kind) -> TopicPattern { patterns[kind.rawValue] }

    func string(_ kind: Topic.Kind, _ words: Topic.Words) -> String {
        let pieces = pieces[kind.rawValue]
        var text = pieces[0]
        for (index, piece) in pieces.dropFirst().enumerated() {
            text += index == 0 ? words.first : index == 1 ? words.second : words.third
            text += piece
        }
        return text
    }
}
