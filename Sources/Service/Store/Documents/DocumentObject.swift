import Contract
import JSON
import Tracking

/// An object of a stored document. A missing or wrong member means that the document is damaged.
struct DocumentObject {
    /// The version of the document.
    let version: Int
    private let value: JSONValue

    init(_ value: JSONValue, version: Int) throws(StoreError) {
        guard case .object = value else { throw .damagedDocument }
        self.value = value
        self.version = version
    }

    /// Nil if it is absent.
    func value<Value>(_ key: StaticString, _ read: (JSONValue) throws(StoreError) -> Value?)
        throws(StoreError) -> Value?
    {
        guard let found = value[key.description] else { return nil }
        if case .null = found { return nil }
        guard let value = try read(found) else { throw .damagedDocument }
        return value
    }

    /// Returns the value, or throws if it is nil.
    func required<Value>(_ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw .damagedDocument }
        return value
    }

    // MARK: Single values

    func integer(ifPresent key: StaticString) throws(StoreError) -> Int64? {
        try value(key) { $0.integer }
    }

    func integer<Number: FixedWidthInteger>(_ key: StaticString) throws(StoreError) -> Number {
        try required(try value(key) { $0.integer.flatMap { Number(exactly: $0) } })
    }

    func number(ifPresent key: StaticString) throws(StoreError) -> Double? {
        try value(key) { if case .number(let number) = $0, number.isFinite { number } else { nil } }
    }

    func string(ifPresent key: StaticString) throws(StoreError) -> String? {
        try value(key) { if case .string(let text) = $0 { text } else { nil } }
    }

    /// One of the raw values of a type.
    func word<Word: RawRepresentable<String>>(_ key: StaticString) throws(StoreError) -> Word {
        try required(try string(ifPresent: key).flatMap { Word(rawValue: $0) })
    }

    func word<Word: RawRepresentable<String>>(ifPresent key: StaticString)
        throws(StoreError) -> Word?
    {
        try string(ifPresent: key).map { text throws(StoreError) in
            try required(Word(rawValue: text))
        }
    }

    func bool(ifPresent key: StaticString) throws(StoreError) -> Bool? {
        try value(key) { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    func bool(_ key: StaticString) throws(StoreError) -> Bool {
        try required(try bool(ifPresent: key))
    }

    func time(ifPresent key: StaticString) throws(StoreError) -> Timestamp? {
        try integer(ifPresent: key).map { Timestamp(milliseconds: $0) }
    }

    func time(_ key: StaticString) throws(StoreError) -> Timestamp {
        Timestamp(milliseconds: try integer(key))
    }

    func identifier<ID: Identifier>(ifPresent key: StaticString) throws(StoreError) -> ID? {
        try integer(ifPresent: key).flatMap { ID(rawValue: $0) }
    }

    func identifier<ID: Identifier>(_ key: StaticString) throws(StoreError) -> ID {
        try required(try identifier(ifPresent: key))
    }

    // MARK: Objects and arrays

    func object(_ key: StaticString) throws(StoreError) -> DocumentObject {
        try required(try object(ifPresent: key) { $0 })
    }

    func object<Value>(
        ifPresent key: StaticString, _ read: (DocumentObject) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try value(key) { value throws(StoreError) in
            try read(try DocumentObject(value, version: version))
        }
    }

    func values(_ key: StaticString) throws(StoreError) -> [JSONValue] {
        try required(try values(ifPresent: key))
    }

    func values(ifPresent key: StaticString) throws(StoreError) -> [JSONValue]? {
        try value(key) { if case .array(let values) = $0 { values } else { nil } }
    }

    /// Empty if there are none.
    func objects<Value>(
        ifPresent key: StaticString, _ read: (DocumentObject) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try value(key) { $0 } == nil ? [] : try objects(key, read)
    }

    func objects<Value>(
        _ key: StaticString, _ read: (DocumentObject) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try values(key).map { value throws(StoreError) in
            try read(try DocumentObject(value, version: version))
        }
    }
}
