/// A strict, bounded parser for JSON as RFC 8259 defines it.
///
/// It is used instead of Foundation's for two reasons: the answer to a request has to list *all*
/// its wrong fields at once, which requires a value tree, and every fix passes through here
/// (docs/decisions/0004).
struct JSONParser {
    /// The maximum nesting of arrays and objects.
    static let maximumDepth = 32
    /// The maximum number of combining marks in a row, in a key or a string
    /// (``String/isStreamSafe``): far more than any language needs (UAX #15, D3).
    static let maximumMarks = 30

    private let bytes: UnsafeBufferPointer<UInt8>
    private let isOurs: Bool
    private var position = 0

    static func parse(_ bytes: [UInt8], isOurs: Bool) throws(JSONError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            var parser = JSONParser(bytes: buffer, isOurs: isOurs)
            return try parser.document()
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, isOurs: Bool) {
        self.bytes = bytes
        self.isOurs = isOurs
    }

    private mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error("text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        guard position < bytes.count else { throw error("the text ends too early") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error("not a JSON value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= JSONParser.maximumDepth else { throw error("nested too deeply") }
        position += 1
        var members: [JSONValue.Member] = []
        if skip(UInt8(ascii: "}")) { return .object(members) }
        members.reserveCapacity(8)
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw error("a member's name is missing")
            }
            let key = try string()
            guard skip(UInt8(ascii: ":")) else { throw error("':' is missing") }
            members.append(.init(key: key, value: try value(depth: depth)))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw error("'}' is missing") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= JSONParser.maximumDepth else { throw error("nested too deeply") }
        position += 1
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat { elements.append(try value(depth: depth)) } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw error("']' is missing") }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError)
        -> JSONValue
    {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes.count - position >= letters.count,
            bytes[position..<(position + letters.count)].elementsEqual(letters)
        else { throw error("not a JSON value") }
        position += letters.count
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var significand: UInt64 = 0
        var digits = 0
        let whole = try digitRun(&significand, &digits)
        if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
            throw error("a number begins with 0")
        }
        var exponent = 0
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            exponent = -(try digitRun(&significand, &digits))
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            var sign = 1
            if position < bytes.count,
                bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
            {
                sign = bytes[position] == UInt8(ascii: "-") ? -1 : 1
                position += 1
            }
            var power: UInt64 = 0
            var powerDigits = 0
            _ = try digitRun(&power, &powerDigits)
            exponent += sign * (powerDigits > 6 ? 1_000_000 : Int(power))
        }
        // Exact if both the significand and the power of ten are exact doubles (W. D. Clinger, "How
        // to read floating point numbers accurately", PLDI 1990).
        if digits <= 19, significand < 1 << 53, abs(exponent) < powersOfTen.count {
            let value =
                exponent < 0
                ? Double(significand) / powersOfTen[-exponent]
                : Double(significand) * powersOfTen[exponent]
            return .number(isNegative ? -value : value)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text) else { throw error("not a number") }
        return .number(value)
    }

    /// - Returns: the number of digits, at least one.
    private mutating func digitRun(_ value: inout UInt64, _ significant: inout Int)
        throws(JSONError) -> Int
    {
        let start = position
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            value = value &* 10 &+ UInt64(digit)
            if significant > 0 || digit > 0 { significant += 1 }
            position += 1
        }
        guard position > start else { throw error("a digit is missing") }
        return position - start
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        var seen: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            seen |= byte
            switch byte {
            case UInt8(ascii: "\""):
                let slice = bytes[start..<position]
                position += 1
                // Nearly all text is ASCII, which needs no check for validity.
                return seen < 0x80
                    ? String(decoding: UnsafeBufferPointer(rebasing: slice), as: UTF8.self)
                    : try text(slice)
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw error("a control character in a string")
            default:
                position += 1
            }
        }
        throw error("a string does not end")
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped[...])
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case 0..<0x20: throw error("a control character in a string")
            default: unescaped.append(byte)
            }
        }
        throw error("a string does not end")
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw error("a string does not end") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): unescaped.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw error("an unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Character {
        let first = try codeUnit()
        var code = UInt32(first)
        if UTF16.isLeadSurrogate(first) {
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw error("an unpaired surrogate") }
            position += 2
            let second = try codeUnit()
            guard UTF16.isTrailSurrogate(second) else { throw error("an unpaired surrogate") }
            code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("an unpaired surrogate") }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw error("a string does not end") }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let value: UInt8
            switch bytes[position] {
            case let digit where digit &- UInt8(ascii: "0") < 10: value = digit - 0x30
            case let digit where (digit | 0x20) &- UInt8(ascii: "a") < 6:
                value = (digit | 0x20) - 0x61 + 10
            default: throw error("not a hexadecimal digit")
            }
            unit = unit << 4 | UInt16(value)
            position += 1
        }
        return unit
    }

    private func text<Bytes: Collection<UInt8>>(_ bytes: Bytes) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error("not UTF-8")
        }
        guard isOurs || text.isStreamSafe else {
            throw error("more than \(JSONParser.maximumMarks) combining marks in a row")
        }
        return text
    }

    // MARK: Punctuation and white space

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(offset: position, reason: reason)
    }
}

extension JSONValue {
    /// - Parameter isOurs: whether Kith wrote it, now or in an earlier version: then any number of
    ///   combining marks may follow each other, as in text that was accepted before there was a
    ///   bound.
    /// - Throws: ``JSONError``, which does not repeat the bytes.
    public static func parse(_ bytes: [UInt8], isOurs: Bool = false) throws(JSONError) -> JSONValue
    {
        try JSONParser.parse(bytes, isOurs: isOurs)
    }

    /// Parses bytes; nil if they are not JSON, whatever the reason.
    public init?(parsing bytes: [UInt8], isOurs: Bool = false) {
        do throws(JSONError) {
            self = try JSONParser.parse(bytes, isOurs: isOurs)
        } catch {
            return nil
        }
    }
}

private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
