import Testing

/// A scenario of a feature in Gherkin; its steps begin with those of its background.
struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    /// Without `Given`, `When`, `Then`, `And`, `But`, `*`.
    var steps: [String]

    var testDescription: String { name }

    /// Reads `Background`, `Scenario`, and `Scenario Outline`, with one scenario for each of its
    /// `Examples`.
    static func read(_ feature: String) -> [Scenario] {
        var (background, scenarios): ([String], [Scenario]) = ([], [])
        var open: Scenario?
        var table: [[String]]?

        func close() {
            guard let scenario = open else { return }
            guard let rows = table, let head = rows.first else { return scenarios.append(scenario) }
            for row in rows.dropFirst() {
                scenarios.append(scenario.filled(Dictionary(zip(head, row)) { $1 }))
            }
        }

        for line in feature.split(separator: "\n").map({ $0.trimmed }) where !line.isEmpty {
            if line.hasPrefix("Feature:") || line == "Background:" { continue }
            if line.hasPrefix("Scenario") {
                close()
                let name = line.drop { $0 != ":" }.dropFirst().trimmed
                (open, table) = (Scenario(name: name, steps: background), nil)
            } else if line == "Examples:" {
                table = []
            } else if line.hasPrefix("|") {
                table?.append(line.split(separator: "|").map { $0.trimmed })
            } else {
                let step = line.drop { $0 != " " }.trimmed
                if open == nil { background.append(step) } else { open?.steps.append(step) }
            }
        }
        close()
        return scenarios
    }

    private func filled(_ values: [String: String]) -> Scenario {
        func fill(_ text: String) -> String {
            values.reduce(text) { $0.replacing("<\($1.key)>", with: $1.value) }
        }
        let example = values.values.sorted().joined(separator: ", ")
        return Scenario(name: "\(name): \(example)", steps: steps.map(fill))
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
