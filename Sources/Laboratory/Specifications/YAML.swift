internal import JSON
internal import Numbers

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

    /// The document, in YAML 1.2 and in blocks.
    public var document: String {
        var lines: [String] = []
        YAML.add(self, to: &lines, after: "", indent: 0)
        return lines.joined(separator: "\n") + "\n"
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

    /// - Parameter start: the text on the line before the value: `key:` or `-`.
    private static func add(
        _ value: YAML, to lines: inout [String], after start: String, indent: Int
    ) {
        let margin = String(repeating: "  ", count: indent)
        let isElement = start.hasSuffix("-")
        switch value {
        case .map(let members) where !members.isEmpty:
            if !start.isEmpty, !isElement { lines.append(start) }
            for (index, member) in members.enumerated() {
                let lead = isElement && index == 0 ? start + " " : margin
                add(
                    member.value, to: &lines, after: lead + scalar(member.key) + ":",
                    indent: indent + 1)
            }
        case .list(let elements) where !elements.isEmpty:
            if !start.isEmpty { lines.append(start) }
            for element in elements {
                add(element, to: &lines, after: margin + "-", indent: indent + 1)
            }
        default:
            lines.append(start.isEmpty ? flow(value) : "\(start) \(flow(value))")
        }
    }

    private static func flow(_ value: YAML) -> String {
        switch value {
        case .text(let text): scalar(text)
        case .number(let number):
            number.rounded() == number && abs(number) < 1e15
                ? String(Int64(clamping: number)) : "\(number)"
        case .bool(let bool): bool ? "true" : "false"
        case .list: "[]"
        case .map: "{}"
        }
    }

    /// Returns the text plain if it cannot be read as anything else.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0 == "/") } ?? false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
            && !words.contains(text.lowercased())
        return isPlain ? text : quoted(text)
    }

    /// Returns a JSON string, which is also one of YAML.
    private static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
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
