internal import Contract

extension Method {
    /// Whether clients can ask for it, and not the operator's commands alone.
    var isOpen: Bool { !askers.isDisjoint(with: [.guest, .user]) }

    /// What may be sent; a schema of its own for each way to ask.
    var requestSchema: YAML {
        ways.count == 1
            ? Schema.yaml(ways[0]) : ["anyOf": .list(ways.map { Schema.yaml($0) })]
    }

    /// What is answered, as far as the table says it; of several ways to ask, in words.
    var resultSchema: YAML {
        let words = results.joined(separator: "; ")
        let schema: YAML = ["type": "object", "description": .text(words.plain)]
        guard results.count == 1, let cell = Notation.cell(results[0]),
            cell.alternatives.count == 1, Method.isSaidAtOnce(cell.rest)
        else { return schema }
        return cell.alternatives[0].schema { path in path.last == "next" ? Method.next : nil }
            .with("description", cell.rest.described)
    }

    /// Whether the words after a notation take nothing of it back, as "or", "and" and "with" do.
    private static func isSaidAtOnce(_ rest: String) -> Bool {
        // Something else may be answered as well.
        if rest.contains("`{") { return false }
        let word = rest.drop { ", ".contains($0) }
        return rest.isEmpty || rest.hasPrefix(":")
            || !["or ", "and ", "with "].contains { word.hasPrefix($0) } && rest.hasPrefix(",")
    }

    /// Where the next page begins; `null` after the last one.
    private static let next: YAML = ["type": ["string", "integer", "null"]]

    /// Whether something has to be sent.
    var needsFields: Bool {
        ways.allSatisfy { $0.contains(where: \.isRequired) }
    }

    /// Who may ask, and what it does, in a sentence.
    var note: String {
        var who: [String] = []
        if askers.contains(.guest) { who.append("whoever is not logged in") }
        if askers.contains(.user) {
            let names: [AccountKind: String] = [
                .person: "people", .company: "companies", .service: "services",
            ]
            who += AccountKind.allCases.filter { kinds.contains($0) }.compactMap { names[$0] }
        }
        let effects: [Method.Effect: String] = [
            .reads: "It changes nothing.", .changes: "Done twice, it is the same as once.",
            .makes: "Done twice, it makes something twice: send an id.",
        ]
        return "For \(who.joined(separator: ", ")). \(effects[effect] ?? "")"
    }
}

extension String {
    /// Without the marks of the reference's tables.
    var plain: String { replacing("\\|", with: "|") }

    /// As the description of something; nil if it says nothing.
    var described: YAML? {
        let text = plain.drop { ":,; ".contains($0) }
        return text.isEmpty ? nil : .text(String(text))
    }
}
