extension JSONValue {
    /// Any value, as its `Encodable` describes it. Numbers beyond what a double holds exactly are
    /// refused.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONValueEncoder(codingPath: [])
        try value.encode(to: encoder)
        self = encoder.result
    }
}

/// Builds a ``JSONValue``; a fraction of the work of encoding to text and parsing that again.
private final class JSONValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private enum Shape {
        case single(JSONValue)
        case object([(key: String, part: Part)])
        case array([Part])
    }

    /// A container inside another is not finished when that goes on.
    enum Part {
        case value(JSONValue)
        case open(JSONValueEncoder)

        var result: JSONValue {
            switch self {
            case .value(let value): value
            case .open(let encoder): encoder.result
            }
        }
    }

    private var shape = Shape.object([])

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    var result: JSONValue {
        switch shape {
        case .single(let value): value
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.part.result) })
        case .array(let parts): .array(parts.map(\.result))
        }
    }

    typealias Member = JSONValue.Member

    func set(_ value: JSONValue) { shape = .single(value) }

    func add(_ key: String, _ part: Part) {
        guard case .object(var members) = shape else { return }
        shape = .array([])  // So that the members are not copied.
        members.append((key, part))
        shape = .object(members)
    }

    func add(_ part: Part) {
        guard case .array(var parts) = shape else { return }
        shape = .object([])
        parts.append(part)
        shape = .array(parts)
    }

    var count: Int { if case .array(let parts) = shape { parts.count } else { 0 } }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .array([])
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    func nested(_ key: any CodingKey) -> JSONValueEncoder {
        JSONValueEncoder(codingPath: codingPath + [key])
    }

    /// By an encoder of its own.
    func encode(_ value: some Encodable) throws -> JSONValue {
        let encoder = JSONValueEncoder(codingPath: codingPath)
        try value.encode(to: encoder)
        return encoder.result
    }

    func number(_ value: Double) throws -> JSONValue {
        guard value.isFinite else { throw refusal(value) }
        return .number(value)
    }

    func number(_ value: some BinaryInteger) throws -> JSONValue {
        guard let number = Double(exactly: value) else { throw refusal(value) }
        return .number(number)
    }

    private func refusal(_ value: Any) -> EncodingError {
        .invalidValue(
            value,
            .init(codingPath: codingPath, debugDescription: "JSON has no such number"))
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) { encoder.add(key.stringValue, .value(.null)) }

        func encode(_ value: Bool, forKey key: Key) {
            encoder.add(key.stringValue, .value(.bool(value)))
        }
        func encode(_ value: String, forKey key: Key) {
            encoder.add(key.stringValue, .value(.string(value)))
        }
        func encode(_ value: Double, forKey key: Key) throws {
            encoder.add(key.stringValue, .value(try encoder.number(value)))
        }
        func encode(_ value: Int, forKey key: Key) throws {
            encoder.add(key.stringValue, .value(try encoder.number(value)))
        }
        func encode(_ value: Int64, forKey key: Key) throws {
            encoder.add(key.stringValue, .value(try encoder.number(value)))
        }
        func encode(_ value: some Encodable, forKey key: Key) throws {
            encoder.add(key.stringValue, .value(try encoder.encode(value)))
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            open(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            open(key).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { open(key) }

        private func open(_ key: Key) -> JSONValueEncoder {
            let nested = encoder.nested(key)
            encoder.add(key.stringValue, .open(nested))
            return nested
        }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.count }

        func encodeNil() { encoder.add(.value(.null)) }
        func encode(_ value: some Encodable) throws {
            encoder.add(.value(try encoder.encode(value)))
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            open().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { open().unkeyedContainer() }
        func superEncoder() -> any Encoder { open() }

        private func open() -> JSONValueEncoder {
            let nested = JSONValueEncoder(codingPath: codingPath)
            encoder.add(.open(nested))
            return nested
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        // What the standard library's own types end with: every one by itself.
        func encodeNil() { encoder.set(.null) }
        func encode(_ value: Bool) { encoder.set(.bool(value)) }
        func encode(_ value: String) { encoder.set(.string(value)) }
        func encode(_ value: Double) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: Float) throws { encoder.set(try encoder.number(Double(value))) }
        func encode(_ value: Int) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: Int8) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: Int16) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: Int32) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: Int64) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: UInt) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: UInt8) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: UInt16) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: UInt32) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: UInt64) throws { encoder.set(try encoder.number(value)) }
        func encode(_ value: some Encodable) throws { encoder.set(try encoder.encode(value)) }
    }
}
