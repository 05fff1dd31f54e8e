internal import Contract

/// The schema (JSON Schema) of a table's notation, as far as it states one: anything left open is
/// unrestricted.
extension Notation {
    var schema: YAML {
        switch self {
        case .object(let members, _):
            let properties = members.map { member in
                YAML.Member(
                    key: member.name,
                    value: member.value?.schema ?? (member.name == "next" ? Notation.next : [:]))
            }
            let required = members.filter { !$0.isOptional }.map { YAML.text($0.name) }
            return (["type": "object"] as YAML)
                .with("properties", properties.isEmpty ? nil : .map(properties))
                .with("required", required.isEmpty ? nil : .list(required))
        case .array(let element):
            return (["type": "array"] as YAML).with("items", element.map(\.schema))
        case .literal(let text): return ["const": .text(text)]
        case .bool(let bool): return ["const": .bool(bool)]
        case .null: return ["type": "null"]
        case .choice(let choices):
            let words = choices.compactMap { choice -> YAML? in
                if case .literal(let text) = choice { .text(text) } else { nil }
            }
            if words.count == choices.count { return ["enum": .list(words)] }
            return ["anyOf": .list(choices.map(\.schema))]
        case .word(let word): return Notation.schema(ofWord: word)
        }
    }

    /// The position of the next page; `null` after the last one.
    private static let next: YAML = ["type": ["string", "integer", "null"]]

    private static func schema(ofWord word: String) -> YAML {
        let payloads = word.split(separator: " or ").map(String.init)
        guard payloads.allSatisfy({ PayloadRow.names.contains($0) }) else { return [:] }
        let references = payloads.map { YAML.reference($0) }
        return references.count == 1 ? references[0] : ["anyOf": .list(references)]
    }
}
