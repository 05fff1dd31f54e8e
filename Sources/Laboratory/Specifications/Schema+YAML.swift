internal import Contract
internal import Tracking

extension Schema {
    /// As JSON Schema.
    var yaml: YAML {
        switch self {
        case .boolean: ["type": "boolean"]
        case .isTrue: ["const": true]
        case .text(let format): format.yaml
        case .choice(let words):
            words.count == 1
                ? ["const": .text(words[0])] : ["enum": .list(words.map { .text($0) })]
        case .integer(let range):
            (["type": "integer", "minimum": .number(Double(range.lowerBound))] as YAML)
                .with("maximum", range.upperBound == .max ? nil : .number(Double(range.upperBound)))
        case .number(let range):
            (["type": "number"] as YAML)
                .with("minimum", range.lowerBound.isFinite ? .number(range.lowerBound) : nil)
                .with("maximum", range.upperBound.isFinite ? .number(range.upperBound) : nil)
        case .time: .time
        case .object(let members): Schema.yaml(members)
        case .array(let element): (["type": "array"] as YAML).with("items", element?.yaml)
        case .either(let schemas): ["anyOf": .list(schemas.map(\.yaml))]
        case .null: ["type": "null"]
        case .payload(let name): .reference(name)
        case .rule(let words): ["description": .text(words)]
        }
    }

    static func yaml(_ members: [Member]) -> YAML {
        let properties = members.map { member in
            YAML.Member(key: member.name, value: member.schema.yaml.described(by: member.words))
        }
        let required = members.filter(\.isRequired).map { YAML.text($0.name) }
        return (["type": "object"] as YAML)
            .with("properties", properties.isEmpty ? nil : .map(properties))
            .with("required", required.isEmpty ? nil : .list(required))
    }
}

extension Schema.Format {
    fileprivate var yaml: YAML {
        let text: YAML = ["type": "string"]
        return switch self {
        case .any: text
        case .name: text.with("pattern", .text(Name.pattern))
        case .uuid: text.with("format", "uuid")
        case .time: text.with("format", "date-time")
        case .rule(let words): text.with("description", .text(words))
        }
    }
}

extension YAML {
    /// Returns the schema with these words before the existing ones.
    func described(by words: String?) -> YAML {
        guard let words, case .map(let members) = self else { return self }
        let rules = members.filter { $0.key == "description" }.map(\.value)
        let texts =
            [words.plain] + rules.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return .map(
            members.filter { $0.key != "description" }
                + [Member(key: "description", value: .text(texts.joined(separator: "; ")))])
    }

    /// A time as the service accepts it.
    fileprivate static let time: YAML = [
        "anyOf": [["type": "string", "format": "date-time"], ["type": "integer"]]
    ]
}
