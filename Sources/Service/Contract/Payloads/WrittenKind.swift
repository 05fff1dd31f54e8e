internal import JSON
internal import Tracking

/// A kind of value in a payload: its schema and its writer.
struct WrittenKind<Value>: Sendable {
    let schema: Schema
    let write: @Sendable (Value, inout JSONWriter) -> Void

    init(_ schema: Schema, _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void) {
        (self.schema, self.write) = (schema, write)
    }

    /// An object: by its name, if the reference names it.
    static func object(_ payload: Payload<Value>) -> WrittenKind {
        WrittenKind(payload.schema) { $1.object(payload, $0) }
    }

    static func object(_ parts: Payload<Value>.Part...) -> WrittenKind {
        object(Payload(parts: parts))
    }

    static func list<Element>(of kind: WrittenKind<Element>) -> WrittenKind
    where Value == [Element] {
        WrittenKind(.array(of: kind.schema)) { elements, json in
            json.array(elements) { kind.write($1, &$0) }
        }
    }

    /// `null` for nil.
    static func orNull<Wrapped>(_ kind: WrittenKind<Wrapped>) -> WrittenKind
    where Value == Wrapped? {
        WrittenKind(.either([kind.schema, .null])) { value, json in
            if let value { kind.write(value, &json) } else { json.null() }
        }
    }
}

extension WrittenKind where Value == String {
    static let text = WrittenKind(.text(.any)) { $1.string($0) }

    /// A text as a reader of requests accepts it.
    static func text<Read>(as kind: Kind<Read>) -> WrittenKind {
        WrittenKind(kind.schema) { $1.string($0) }
    }

    /// One of these texts.
    static func choice(of words: [String]) -> WrittenKind {
        WrittenKind(.choice(words)) { $1.string($0) }
    }
}

extension WrittenKind
where Value: CaseIterable & RawRepresentable & SendableMetatype, Value.RawValue == String {
    /// One of the words that the type lists.
    static var choice: WrittenKind {
        WrittenKind(.choice(Value.allCases.map(\.rawValue))) { $1.string($0.rawValue) }
    }
}

extension WrittenKind where Value == Bool {
    static let boolean = WrittenKind(.boolean) { $1.bool($0) }
}

extension WrittenKind where Value == Int {
    /// From 0.
    static let count = integer(0...Int.max)

    static func integer(_ range: ClosedRange<Int>) -> WrittenKind {
        WrittenKind(.integer(Int64(range.lowerBound)...Int64(range.upperBound))) {
            $1.number($0)
        }
    }
}

extension WrittenKind where Value == Int64 {
    /// From 0.
    static let number = WrittenKind(.integer(0...Int64.max)) { $1.number($0) }
}

extension WrittenKind where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> WrittenKind {
        WrittenKind(.number(range)) { $1.number($0) }
    }
}

extension WrittenKind where Value == Timestamp {
    static let time = WrittenKind(.text(.time)) { $1.time($0) }
}

extension WrittenKind where Value == UUIDv7 {
    static let uuid = WrittenKind(.text(.uuid)) { $1.string($0.description) }
}

extension WrittenKind where Value == Name {
    static let name = WrittenKind(.text(.name)) { $1.string($0.text) }
}

extension WrittenKind where Value == GroupKey {
    static let group = WrittenKind(Kind.group.schema) { $1.string($0.text) }
}

extension WrittenKind where Value == Fix {
    static let fix = WrittenKind(.payload("Fix")) { $1.fix($0) }
}
