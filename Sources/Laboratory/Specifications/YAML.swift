internal import Numbers
internal import Yams

/// A value of a YAML document, with members in the order given.
public indirect enum YAML: Hashable, Sendable {
    case text(String)
    case number(Double)
    case bool(Bool)
    case list([YAML])
    case map([Member])

    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: YAML
    }

    /// The document, in blocks.
    public var document: String {
        get throws { try serialize(node: node, width: -1, allowUnicode: true) }
    }

    private var node: Node {
        switch self {
        case .text(let text): .scalar(text.represented())
        case .number(let number):
            Node(
                number.rounded() == number && abs(number) < 0x1p53
                    ? String(Int64(clamping: number)) : "\(number)")
        case .bool(let bool): Node(bool ? "true" : "false")
        case .list(let elements): Node(elements.map(\.node))
        case .map(let members): Node(members.map { (.scalar($0.key.represented()), $0.value.node) })
        }
    }

    /// The value of a member; nil if this is not a map, or has no such member.
    public subscript(_ key: String) -> YAML? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Returns a copy with one more member, or without a change if the value is nil.
    func with(_ key: String, _ value: YAML?) -> YAML {
        guard case .map(let members) = self, let value else { return self }
        return .map(members + [Member(key: key, value: value)])
    }
}

extension YAML: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    public init(arrayLiteral elements: YAML...) { self = .list(elements) }
    public init(dictionaryLiteral members: (String, YAML)...) {
        self = .map(members.map { Member(key: $0.0, value: $0.1) })
    }
}
