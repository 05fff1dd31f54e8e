/// JSON, as the browser's protocol has it.
enum Value: Sendable, Codable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([Value].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: Value].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// `null` where there is no such member.
    subscript(key: String) -> Value {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var isTrue: Bool { if case .bool(true) = self { true } else { false } }
    var elements: [Value] { if case .array(let elements) = self { elements } else { [] } }
    var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(arrayLiteral elements: Value...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, Value)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
}
