internal import Contract
internal import JSON
internal import Tracking

/// What a request's reader says of its fields: it is asked with values that cannot be meant, and
/// the words of the refusals tell what may be there.
///
/// So the specifications say what the program does, without another table.
struct FieldProbe {
    let method: Method
    /// Whether somebody asks who is not logged in.
    let isGuest: Bool
    /// The members that make it this way of asking: `what:"journey"`.
    let constants: [JSONValue.Member]

    init(_ method: Method, isGuest: Bool, _ form: Notation) {
        self.method = method
        self.isGuest = isGuest
        guard case .object(let members, _) = form else {
            constants = []
            return
        }
        constants = members.compactMap { member in
            switch member.value {
            case .literal(let text)?: .init(key: member.name, value: .string(text))
            case .bool(let bool)?: .init(key: member.name, value: .bool(bool))
            case .choice(let choices)?:
                if case .literal(let text)? = choices.first {
                    .init(key: member.name, value: .string(text))
                } else {
                    nil
                }
            default: nil
            }
        }
    }

    /// Nil if the reader accepts whatever is there, or says nothing that a schema can say.
    func schema(_ path: [String]) -> YAML? {
        guard let refusal = reason(.bool(true), at: path) else {
            guard reason(.number(7), at: path)?.hasPrefix("must be true") ?? false else {
                return nil
            }
            return ["type": "boolean"]
        }
        switch refusal {
        case "must be a string": return text(path)
        case "must be an object": return ["type": "object"]
        case "must be a number": return number(path)
        case "must be an RFC 3339 time or epoch milliseconds": return YAML.time
        default: break
        }
        if let bounds = refusal.firstMatch(of: /^must be a whole number from (-?\d+) to (\d+)$/) {
            return FieldProbe.bounded("integer", bounds.1, bounds.2)
        }
        return ["description": .text(refusal)]
    }

    private func text(_ path: [String]) -> YAML {
        let schema: YAML = ["type": "string"]
        switch reason(.string("\u{1}"), at: path) {
        case nil: return schema
        case let reason? where reason.hasPrefix("must be 2 to 32 lower-case letters"):
            return schema.with("pattern", .text(FieldProbe.name))
        case "is not a UUID"?: return schema.with("format", "uuid")
        case let reason?:
            if let words = reason.firstMatch(of: /^must be one of ([a-z-]+(?:, [a-z-]+)*)$/) {
                return ["enum": .list(words.1.split(separator: ", ").map { .text(String($0)) })]
            }
            return schema.with("description", .text(reason))
        }
    }

    private func number(_ path: [String]) -> YAML {
        let refusal = reason(.number(1e300), at: path) ?? reason(.number(-1e300), at: path) ?? ""
        if let bounds = refusal.firstMatch(of: /^must be from (-?[\d.]+) to ([\d.]+)$/) {
            return FieldProbe.bounded("number", bounds.1, bounds.2)
        }
        return ["type": "number"]
    }

    private static func bounded(_ type: String, _ lower: Substring, _ upper: Substring) -> YAML {
        (["type": .text(type)] as YAML).with("minimum", Double(lower).map { .number($0) })
            .with("maximum", Double(upper).map { .number($0) })
    }

    /// Why the value is refused; nil if it is not.
    private func reason(_ value: JSONValue, at path: [String]) -> String? {
        var value = value
        for name in path.dropFirst().reversed() {
            value = .object([.init(key: name, value: value)])
        }
        let others = constants.filter { $0.key != path[0] }
        var json = JSONWriter()
        json.value(.object(others + [.init(key: path[0], value: value)]))
        let field = path.joined(separator: ".")
        return errors(json.bytes).first { $0.field == field }?.reason
    }

    private func errors(_ payload: [UInt8]) -> [Problem.FieldError] {
        do throws(Problem) {
            let request = try Request(payload)
            if isGuest {
                _ = try GuestCommand(method: method.name, request)
            } else {
                _ = try Command(
                    method: method.name, request, at: FieldProbe.noon, FixLimits())
            }
            return []
        } catch {
            return error.errors
        }
    }

    /// Any time will do.
    private static let noon = Timestamp(milliseconds: 1_767_268_800_000)
    static let name = "^[a-z0-9][a-z0-9_-]{1,31}$"
}

extension YAML {
    /// As the service takes it.
    static let time: YAML = [
        "anyOf": [["type": "string", "format": "date-time"], ["type": "integer"]]
    ]
    /// As the service gives it.
    static let timeGiven: YAML = ["type": "string", "format": "date-time"]
}
