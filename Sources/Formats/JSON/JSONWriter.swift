internal import Numbers

/// Writes JSON into a buffer, with members in the order given: the same value always results in the
/// same bytes.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    // MARK: Structure

    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    public mutating func array<Elements: Sequence>(
        _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array { writer in for element in elements { body(&writer, element) } }
    }

    /// Writes the name of the member whose value is written next.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: [0x5C, 0x75, 0x30, 0x30])  // \u00
                bytes.append(hexadecimal(byte >> 4))
                bytes.append(hexadecimal(byte & 15))
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func number(_ value: Int64) {
        separate()
        decimal(value)
    }

    public mutating func number(_ value: Int) { number(Int64(value)) }

    /// Writes null for a number that JSON does not have, infinite or NaN, as ECMAScript does
    /// (ECMA-262, SerializeJSONProperty).
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        if value.rounded() == value, abs(value) < 0x1p53 {
            decimal(Int64(clamping: value))
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a string that the body appends, and in which nothing has to be escaped.
    public mutating func string(appending body: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a number with up to seven decimals, from units of 10⁻⁷.
    public mutating func number(e7 value: Int32) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        decimal(Int64(magnitude / 10_000_000))
        var fraction = magnitude % 10_000_000
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var unit: UInt32 = 1_000_000
        while fraction > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(fraction / unit))
            fraction %= unit
            unit /= 10
        }
    }

    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let number):
            // Read from such a text; recipients read the same value.
            if number.isInfinite {
                raw(Array((number < 0 ? "-1e999" : "1e999").utf8))
            } else {
                self.number(number)
            }
        case .string(let text): string(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members): object { $0.members(members) }
        }
    }

    /// Writes members inside an object.
    public mutating func members(_ members: [JSONValue.Member]) {
        for member in members {
            separate()
            needsComma = false
            string(member.key)
            bytes.append(UInt8(ascii: ":"))
            needsComma = false
            value(member.value)
        }
    }

    /// Copies text that is already JSON.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Parts

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func decimal(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}

extension JSONWriter {
    /// Returns the bytes of one object.
    public static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    /// Returns the bytes of one value.
    public static func value(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        body(&writer)
        return writer.bytes
    }
}
