internal import JSON
internal import Tracking

/// A kind of value in a request: its schema and its reader.
struct Kind<Value>: Sendable {
    let schema: Schema
    /// Reads the value of the member with that name; nil if it was refused.
    let read: @Sendable (JSONValue, String, inout Fields, Method.Circumstances) -> Value?

    init(
        _ schema: Schema,
        _ read:
            @escaping @Sendable (JSONValue, String, inout Fields, Method.Circumstances) -> Value?
    ) {
        (self.schema, self.read) = (schema, read)
    }

    /// A text, read by a function that returns nil for invalid text.
    ///
    /// - Parameter reason: the end of the sentence that refuses it: "must be …".
    static func text(
        _ format: Schema.Format? = nil, orRefuse reason: String,
        _ read: @escaping @Sendable (String) -> Value?
    ) -> Kind {
        Kind(.text(format ?? .rule(reason))) { value, field, fields, _ in
            guard let text = fields.string(value, field) else { return nil }
            let result = read(text)
            if result == nil { fields.refuse(field, reason) }
            return result
        }
    }

    /// A text, read by a function that throws the reason why the text is invalid.
    ///
    /// - Parameter rule: the rule for the text, for the schema.
    static func text(
        _ rule: String, _ read: @escaping @Sendable (String) throws(DisplayName.Reason) -> Value
    ) -> Kind {
        Kind(.text(.rule(rule))) { value, field, fields, _ in
            guard let text = fields.string(value, field) else { return nil }
            do throws(DisplayName.Reason) {
                return try read(text)
            } catch {
                fields.refuse(field, error.text)
                return nil
            }
        }
    }

    /// An object with these members.
    static func object(_ form: Form<Value>) -> Kind {
        Kind(form.schema) { value, field, fields, circumstances in
            fields.nested(value, field) { fields in form.read(&fields, circumstances) }
        }
    }

    /// A value with an additional check.
    ///
    /// - Parameter check: returns the reason of a failure, as the end of a sentence; nil on
    ///   success.
    func checked(
        _ check: @escaping @Sendable (Value, Method.Circumstances) -> String?
    ) -> Kind {
        let read = read
        return Kind(schema) { value, field, fields, circumstances in
            guard let value = read(value, field, &fields, circumstances) else { return nil }
            guard let reason = check(value, circumstances) else { return value }
            fields.refuse(field, reason)
            return nil
        }
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Kind<Other> {
        let read = read
        return Kind<Other>(schema) { value, field, fields, circumstances in
            read(value, field, &fields, circumstances).map(transform)
        }
    }
}

// MARK: The kinds that every area uses

extension Kind where Value == String {
    static let text = Kind(.text(.any)) { value, field, fields, _ in
        fields.string(value, field)
    }
}

extension Kind where Value == Bool {
    static let boolean = Kind(.boolean) { value, field, fields, _ in fields.bool(value, field) }
}

extension Kind where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> Kind {
        Kind(.number(range)) { value, field, fields, _ in fields.number(value, field, in: range) }
    }
}

extension Kind where Value == Int64 {
    static func number(_ range: ClosedRange<Int64>) -> Kind {
        Kind(.integer(range)) { value, field, fields, _ in
            fields.integer(value, field, in: range)
        }
    }
}

extension Kind where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Kind {
        let range = Int64(range.lowerBound)...Int64(range.upperBound)
        return Kind(.integer(range)) { value, field, fields, _ in
            fields.integer(value, field, in: range).map { Int($0) }
        }
    }
}

extension Kind where Value == Timestamp {
    static let time = Kind(.time) { value, field, fields, _ in fields.time(value, field) }

    /// The end of a temporary display: ``TimeLimits/end``.
    static let end = time.checked { time, circumstances in
        let (now, range) = (circumstances.now, TimeLimits.end)
        let isMeant = now + range.lowerBound <= time && time <= now + range.upperBound
        return isMeant ? nil : "must be a minute to 30 days in the future"
    }
}

extension Kind where Value == UUIDv7 {
    static let uuid = Kind.text(.uuid, orRefuse: "is not a UUID") { UUIDv7($0) }
}

extension Kind where Value == Name {
    static let name = Kind.text(.name, orRefuse: Name.rule) { Name($0) }
}

extension Kind where Value == GroupKey {
    static let group = Kind.text(
        .rule("a group id"), orRefuse: "is not a group id"
    ) { GroupKey($0) }
}

extension Kind {
    /// One of the words that the type lists.
    static func choice(of type: Value.Type) -> Kind
    where
        Value: CaseIterable & RawRepresentable & SendableMetatype, Value.RawValue == String
    {
        let words = Value.allCases.map(\.rawValue)
        let rule = Schema.rule(of: words)
        return Kind(.choice(words)) { value, field, fields, _ in
            guard let text = fields.string(value, field) else { return nil }
            let choice = Value(rawValue: text)
            if choice == nil { fields.refuse(field, rule) }
            return choice
        }
    }
}

extension Schema {
    /// "must be a, b or c".
    static func rule(of words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return "must be \(words.joined())" }
        return "must be \(words.dropLast().joined(separator: ", ")) or \(last)"
    }
}

/// Bounds of times in requests.
public enum TimeLimits {
    /// The duration, from now, of temporary displays: a link, sharing, an invitation.
    public static let end = Duration.seconds(60)...Duration.seconds(30 * 86_400)
}
