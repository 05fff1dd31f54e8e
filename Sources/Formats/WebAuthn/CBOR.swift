/// A value of CBOR (RFC 8949), as far as authenticators write it (CTAP 2, section 8): no tags, no
/// fractions, no indefinite lengths. Whether the encoding is canonical makes no difference.
enum CBOR: Hashable {
    case unsigned(UInt64)
    /// -1 minus the number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// The keys are numbers or texts, each once.
    case map([CBOR: CBOR])
    case bool(Bool)
    case null

    /// - Throws: `encoding`, also for anything after the value.
    init(_ bytes: some Collection<UInt8>) throws(WebAuthnError) {
        var reader = CBORReader(bytes)
        self = try reader.value()
        guard reader.rest.isEmpty else { throw .encoding }
    }

    init(_ number: Int64) {
        self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
    }

    /// The value in a map.
    subscript(key: CBOR) -> CBOR? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    subscript(key: Int64) -> CBOR? { self[CBOR(key)] }
    subscript(key: String) -> CBOR? { self[.text(key)] }

    var byteString: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// Reads values one after the other.
struct CBORReader {
    /// The maximum nesting of arrays and maps: attestations have three.
    static let maximumDepth = 8

    /// The unread bytes.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(Array(bytes)) }

    mutating func value(depth: Int = 0) throws(WebAuthnError) -> CBOR {
        guard depth <= CBORReader.maximumDepth, let first = rest.popFirst() else {
            throw .encoding
        }
        let (major, argument) = (first >> 5, try argument(first & 0x1f))
        switch major {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try take(argument))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else {
                throw .encoding
            }
            return .text(text)
        case 4:
            var values: [CBOR] = []
            // Each value has at least one byte, so a claimed count reserves nothing.
            for _ in 0..<(try count(argument)) { values.append(try value(depth: depth + 1)) }
            return .array(values)
        case 5:
            var members: [CBOR: CBOR] = [:]
            for _ in 0..<(try count(argument)) {
                let key = try key()
                let value = try value(depth: depth + 1)
                guard members.updateValue(value, forKey: key) == nil else { throw .encoding }
            }
            return .map(members)
        case 7:
            switch first {
            case 0xf4: return .bool(false)
            case 0xf5: return .bool(true)
            case 0xf6: return .null
            default: throw .encoding
            }
        default: throw .encoding
        }
    }

    private mutating func key() throws(WebAuthnError) -> CBOR {
        let key = try value(depth: CBORReader.maximumDepth)
        switch key {
        case .unsigned, .negative, .text: return key
        case .bytes, .array, .map, .bool, .null: throw .encoding
        }
    }

    /// - Throws: `encoding` also for indefinite lengths.
    private mutating func argument(_ information: UInt8) throws(WebAuthnError) -> UInt64 {
        switch information {
        case 0..<24: return UInt64(information)
        case 24...27:
            return try take(1 << UInt64(information - 24)).reduce(0) { $0 << 8 | UInt64($1) }
        default: throw .encoding
        }
    }

    private mutating func take(_ length: UInt64) throws(WebAuthnError) -> [UInt8] {
        let length = try count(length)
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    /// Returns a number of bytes or values that can still follow.
    private func count(_ claimed: UInt64) throws(WebAuthnError) -> Int {
        guard claimed <= UInt64(rest.count) else { throw .encoding }
        return Int(claimed)
    }
}
