import Contract
import JSON
import Tracking

/// An object of a stored document. A missing or wrong member means that the document is damaged.
struct DocumentObject {
    /// The version of the document.
    let version: Int
    private let value: JSONValue

    init(_ value: JSONValue, version: Int) throws {
        guard case .object = value else { throw StoreError.damagedDocument }
        self.value = value
        self.version = version
    }

    /// Nil if it is absent.
    func value<Value>(_ key: StaticString, _ read: (JSONValue) throws -> Value?) throws -> Value? {
        guard let found = value[key.description] else { return nil }
        if case .null = found { return nil }
        guard let value = try read(found) else { throw StoreError.damagedDocument }
        return value
    }

    /// Returns the value, or throws if it is nil.
    func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw StoreError.damagedDocument }
        return value
    }

    // MARK: Single values

    func integer(ifPresent key: StaticString) throws -> Int64? {
        try value(key) { $0.integer }
    }

    func integer<Number: FixedWidthInteger>(_ key: StaticString) throws -> Number {
        try required(try value(key) { $0.integer.flatMap { Number(exactly: $0) } })
    }

    func number(ifPresent key: StaticString) throws -> Double? {
        try value(key) { if case .number(let number) = $0, number.isFinite { number } else { nil } }
    }

    func string(ifPresent key: StaticString) throws -> String? {
        try value(key) { if case .string(let text) = $0 { text } else { nil } }
    }

    /// One of the raw values of a type.
    func word<Word: RawRepresentable<String>>(_ key: StaticString) throws -> Word {
        try required(try string(ifPresent: key).flatMap { Word(rawValue: $0) })
    }

    func word<Word: RawRepresentable<String>>(ifPresent key: StaticString) throws -> Word? {
        try string(ifPresent: key).map { try required(Word(rawValue: $0)) }
    }

    func bool(ifPresent key: StaticString) throws -> Bool? {
        try value(key) { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    func bool(_ key: StaticString) throws -> Bool {
        try required(try bool(ifPresent: key))
    }

    func time(ifPresent key: StaticString) throws -> Timestamp? {
        try integer(ifPresent: key).map { Timestamp(milliseconds: $0) }
    }

    func time(_ key: StaticString) throws -> Timestamp {
        Timestamp(milliseconds: try integer(key))
    }

    func identifier<ID: Identifier>(ifPresent key: StaticString) throws -> ID? {
        try integer(ifPresent: key).flatMap { ID(rawValue: $0) }
    }

    func identifier<ID: Identifier>(_ key: StaticString) throws -> ID {
        try required(try identifier(ifPresent: key))
    }

    // MARK: Objects and arrays

    func object(_ key: StaticString) throws -> DocumentObject {
        try required(try object(ifPresent: key) { $0 })
    }

    func object<Value>(
        ifPresent key: StaticString, _ read: (DocumentObject) throws -> Value
    ) throws -> Value? {
        try value(key) { try read(try DocumentObject($0, version: version)) }
    }

    func values(_ key: StaticString) throws -> [JSONValue] {
        try required(try values(ifPresent: key))
    }

    func values(ifPresent key: StaticString) throws -> [JSONValue]? {
        try value(key) { if case .array(let values) = $0 { values } else { nil } }
    }

    /// Empty if there are none.
    func objects<Value>(
        ifPresent key: StaticString, _ read: (DocumentObject) throws -> Value
    ) throws -> [Value] {
        try value(key) { $0 } == nil ? [] : try objects(key, read)
    }

    func objects<Value>(
        _ key: StaticString, _ read: (DocumentObject) throws -> Value
    ) throws -> [Value] {
        try values(key).map { try read(try DocumentObject($0, version: version)) }
    }
}
