/// The valid values at one place of a JSON document, as far as JSON Schema can express them.
///
/// Readers declare it together with their parsing (``Kind``, ``Form``), and payloads with their
/// writing (``WrittenKind``, ``Payload``), so that the reference, OpenAPI and AsyncAPI state the
/// bounds that the program enforces.
public indirect enum Schema: Hashable, Sendable {
    case boolean
    /// Nothing but `true`.
    case isTrue
    case text(Format)
    /// One of these texts.
    case choice([String])
    /// - The largest integer as the upper bound: none.
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    /// RFC 3339 or epoch milliseconds.
    case time
    case object([Member])
    /// - `of`: nil for any element.
    case array(of: Schema?)
    case either([Schema])
    case null
    /// The name of a payload of the reference: `Fix`.
    case payload(String)
    /// The rule for a value, as worded in refusals.
    case rule(String)

    /// The format of a text.
    public enum Format: Hashable, Sendable {
        case any
        /// A ``Name``.
        case name
        case uuid
        /// RFC 3339.
        case time
        /// A rule as worded in refusals: "must be a time of day, such as 22:00".
        case rule(String)
    }

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let isRequired: Bool
        public let schema: Schema
        /// Its meaning, as part of a sentence; nil where its name is sufficient.
        public let words: String?

        init(_ name: String, isRequired: Bool = true, _ schema: Schema, _ words: String? = nil) {
            (self.name, self.isRequired, self.schema, self.words) = (
                name, isRequired, schema, words
            )
        }

        var optional: Member { Member(name, isRequired: false, schema, words) }
    }
}

// MARK: The notation of the reference

extension Schema {
    /// `{group,before?,what:"a"|"b"}`.
    ///
    /// - Parameters:
    ///   - isOpen: whether there are other members.
    ///   - withWords: whether to list the words of a choice.
    public static func notation(
        _ members: [Member], isOpen: Bool = false, withWords: Bool = true
    ) -> String {
        let members = members.map { member in
            let value = member.schema.notation(withWords).map { ":\($0)" } ?? ""
            return "\(member.name)\(member.isRequired ? "" : "?")\(value)"
        }
        return "{\((members + (isOpen ? ["…"] : [])).joined(separator: ","))}"
    }

    /// Nil where the member's name is sufficient.
    private func notation(_ withWords: Bool) -> String? {
        switch self {
        case .isTrue: return "true"
        case .choice(let words):
            return withWords ? words.map { "\"\($0)\"" }.joined(separator: "|") : nil
        case .object(let members): return Schema.notation(members, withWords: withWords)
        case .array(let element): return "[\(element?.notation(withWords) ?? "")…]"
        case .null: return "null"
        case .either(let schemas):
            let parts = schemas.map { $0.notation(withWords) }
            return parts.allSatisfy { $0 == nil }
                ? nil : parts.map { $0 ?? "…" }.joined(separator: "|")
        case .payload(let name): return name
        case .boolean, .text, .integer, .number, .time, .rule: return nil
        }
    }
}
