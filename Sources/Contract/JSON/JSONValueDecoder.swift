extension JSONValue {
    /// - Throws: `DecodingError` where it does not describe such a value.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(from: JSONValueDecoder(value: self))
    }
}

private struct JSONValueDecoder: Decoder {
    let value: JSONValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch("an object") }
        return KeyedDecodingContainer(Keyed<Key>(members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("an array") }
        return Unkeyed(elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(value: value) }

    private struct Single: SingleValueDecodingContainer {
        let value: JSONValue
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { value == .null }
        func decode(_ type: Bool.Type) throws -> Bool { try value.scalar() }
        func decode(_ type: String.Type) throws -> String { try value.scalar() }
        func decode(_ type: Double.Type) throws -> Double { try value.scalar() }
        func decode(_ type: Float.Type) throws -> Float { Float(try value.scalar() as Double) }
        func decode(_ type: Int.Type) throws -> Int { try value.whole() }
        func decode(_ type: Int8.Type) throws -> Int8 { try value.whole() }
        func decode(_ type: Int16.Type) throws -> Int16 { try value.whole() }
        func decode(_ type: Int32.Type) throws -> Int32 { try value.whole() }
        func decode(_ type: Int64.Type) throws -> Int64 { try value.whole() }
        func decode(_ type: UInt.Type) throws -> UInt { try value.whole() }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try value.whole() }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try value.whole() }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try value.whole() }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try value.whole() }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try value.decode(type)
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [JSONValue.Member]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

        func contains(_ key: Key) -> Bool { find(key) != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).scalar() }
        func decode(_ type: String.Type, forKey key: Key) throws -> String {
            try member(key).scalar()
        }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
            try member(key).scalar()
        }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).whole() }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
            try member(key).whole()
        }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
            try member(key).whole()
        }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).decode(type)
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Nested>
        {
            try JSONValueDecoder(value: try member(key)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try JSONValueDecoder(value: try member(key)).unkeyedContainer()
        }

        func superDecoder() -> any Decoder { JSONValueDecoder(value: .object(members)) }
        func superDecoder(forKey key: Key) throws -> any Decoder {
            JSONValueDecoder(value: try member(key))
        }

        private func find(_ key: Key) -> JSONValue? {
            let name = key.stringValue
            return members.first { $0.key == name }?.value
        }

        private func member(_ key: Key) throws -> JSONValue {
            guard let value = find(key) else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: [], debugDescription: "it is missing"))
            }
            return value
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let elements: [JSONValue]
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try next().decode(type)
        }

        mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws
            -> KeyedDecodingContainer<Nested>
        {
            try JSONValueDecoder(value: try next()).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try JSONValueDecoder(value: try next()).unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { JSONValueDecoder(value: try next()) }

        private mutating func next() throws -> JSONValue {
            guard !isAtEnd else { throw mismatch("another element") }
            defer { currentIndex += 1 }
            return elements[currentIndex]
        }
    }
}

extension JSONValue {
    fileprivate func scalar() throws -> Bool {
        guard case .bool(let bool) = self else { throw mismatch("true or false") }
        return bool
    }

    fileprivate func scalar() throws -> String {
        guard case .string(let text) = self else { throw mismatch("a string") }
        return text
    }

    fileprivate func scalar() throws -> Double {
        guard case .number(let number) = self else { throw mismatch("a number") }
        return number
    }

    fileprivate func whole<Number: FixedWidthInteger>() throws -> Number {
        guard let integer, let number = Number(exactly: integer) else {
            throw mismatch("a whole number in range")
        }
        return number
    }
}

/// The value itself is not repeated.
private func mismatch(_ wanted: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "it is not \(wanted)"))
}
