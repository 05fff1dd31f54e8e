internal import Contract

extension Method {
    /// Whether clients can call it, and not only the operator's commands.
    var isOpen: Bool { !askers.isDisjoint(with: [.guest, .user]) }

    /// The request's schema; one for each alternative.
    var requestSchema: YAML {
        ways.count == 1
            ? Schema.yaml(ways[0]) : ["anyOf": .list(ways.map { Schema.yaml($0) })]
    }

    /// The result's schema, as far as the table describes it; in words for several alternatives.
    var resultSchema: YAML {
        let words = results.joined(separator: "; ")
        if let result { return result.yaml.with("description", words.described) }
        let schema: YAML = ["type": "object", "description": .text(words.plain)]
        guard results.dropFirst().allSatisfy({ $0.hasPrefix("the same") }),
            let cell = Notation.cell(results[0]), cell.alternatives.count == 1,
            Method.isSaidAtOnce(cell.rest)
        else { return schema }
        let rest = ([cell.rest] + results.dropFirst()).joined(separator: "; ")
        return cell.alternatives[0].schema.with("description", rest.described)
    }

    /// Returns whether the words after a notation do not qualify it, as "or", "and" and "with" do.
    private static func isSaidAtOnce(_ rest: String) -> Bool {
        // There may be another answer.
        if rest.contains("`{") { return false }
        let word = rest.drop { ", ".contains($0) }
        return rest.isEmpty || rest.hasPrefix(":")
            || !["or ", "and ", "with "].contains { word.hasPrefix($0) } && rest.hasPrefix(",")
    }

    /// Whether the request needs fields.
    var needsFields: Bool {
        ways.allSatisfy { $0.contains(where: \.isRequired) }
    }

    /// The permitted callers, and the method's effect, in a sentence.
    var note: String {
        var who: [String] = []
        if askers.contains(.guest) { who.append("clients that are not logged in") }
        if askers.contains(.user) {
            let names: [AccountKind: String] = [
                .person: "people", .company: "companies", .service: "services",
            ]
            who += AccountKind.allCases.filter { kinds.contains($0) }.compactMap { names[$0] }
        }
        let effects: [Method.Effect: String] = [
            .reads: "Read-only.", .changes: "Idempotent.",
            .makes: "Not idempotent: send an id.",
        ]
        return "For \(who.joined(separator: ", ")). \(effects[effect] ?? "")"
    }
}

extension String {
    /// Without the marks of the reference's tables.
    var plain: String { replacing("\\|", with: "|") }

    /// The text as a description; nil if it is empty.
    var described: YAML? {
        let text = plain.drop { ":,; ".contains($0) }
        return text.isEmpty ? nil : .text(String(text))
    }
}
