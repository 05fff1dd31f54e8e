/// The valid values at one place of a JSON document, as far as JSON Schema can express them.
///
/// Readers declare it together with their parsing (``Kind``, ``Form``), so that the reference,
/// OpenAPI and AsyncAPI state the bounds that the program enforces.
public indirect enum Schema: Hashable, Sendable {
    case boolean
    /// Nothing but `true`.
    case isTrue
    case text(Format)
    /// One of these texts.
    case choice([String])
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
    public static func notation(_ members: [Member]) -> String {
        "{\(members.map(\.notation).joined(separator: ","))}"
    }

    /// Nil where the member's name is sufficient.
    private var notation: String? {
        switch self {
        case .isTrue: "true"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: "|")
        case .object(let members): Schema.notation(members)
        case .array(.some(let element)): "[\(element.notation ?? "")…]"
        case .array: "[…]"
        case .null: "null"
        case .either(let schemas):
            schemas.compactMap(\.notation).isEmpty
                ? nil : schemas.map { $0.notation ?? "…" }.joined(separator: "|")
        case .boolean, .text, .integer, .number, .time, .payload, .rule: nil
        }
    }
}

extension Schema.Member {
    fileprivate var notation: String {
        let value = schema.noted.map { ":\($0)" } ?? ""
        return "\(name)\(isRequired ? "" : "?")\(value)"
    }
}

extension Schema {
    fileprivate var noted: String? { notation }
}
