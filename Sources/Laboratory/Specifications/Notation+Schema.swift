/// The schema (JSON Schema) of a table's notation, as far as it states one: anything left open is
/// unrestricted.
extension Notation {
    /// Returns the description of a field beyond its name.
    ///
    /// - Parameter path: the names leading to it.
    typealias Teller = (_ path: [String]) -> YAML?

    func schema(_ path: [String] = [], _ tell: Teller = { _ in nil }) -> YAML {
        switch self {
        case .object(let members, _):
            var properties: [YAML.Member] = []
            for member in members {
                let inner = path + [member.name]
                let noted = member.value?.schema(inner, tell)
                properties.append(
                    YAML.Member(
                        key: member.name, value: Notation.combined(noted, tell(inner))))
            }
            let required = members.filter { !$0.isOptional }.map { YAML.text($0.name) }
            return (["type": "object"] as YAML)
                .with("properties", properties.isEmpty ? nil : .map(properties))
                .with("required", required.isEmpty ? nil : .list(required))
        case .array(let element):
            return (["type": "array"] as YAML)
                .with("items", element.map { $0.schema(path + ["[]"]) })
        case .literal(let text): return ["const": .text(text)]
        case .bool(let bool): return ["const": .bool(bool)]
        case .null: return ["type": "null"]
        case .choice(let choices):
            let words = choices.compactMap { choice -> YAML? in
                if case .literal(let text) = choice { .text(text) } else { nil }
            }
            if words.count == choices.count { return ["enum": .list(words)] }
            return ["anyOf": .list(choices.map { $0.schema(path, tell) })]
        case .word(let word): return Notation.schema(ofWord: word)
        }
    }

    private static func schema(ofWord word: String) -> YAML {
        let payloads = word.split(separator: " or ").map(String.init)
        guard payloads.allSatisfy({ Payloads.names.contains($0) }) else { return [:] }
        let references = payloads.map { YAML.reference($0) }
        return references.count == 1 ? references[0] : ["anyOf": .list(references)]
    }

    /// Combines the table's notation with the additions of the field's reader.
    private static func combined(_ noted: YAML?, _ told: YAML?) -> YAML {
        guard let noted, noted != [:] else { return told ?? [:] }
        guard case .map(let members) = noted, case .map(let more)? = told else { return noted }
        let known = Set(members.map(\.key))
        // The reader's words about a value that the table spells out add nothing.
        guard known.isDisjoint(with: ["const", "enum", "anyOf", "$ref"]) else { return noted }
        return .map(members + more.filter { !known.contains($0.key) && $0.key != "description" })
    }
}

extension YAML {
    static func reference(_ payload: String) -> YAML {
        ["$ref": "#/components/schemas/\(payload)"]
    }
}
