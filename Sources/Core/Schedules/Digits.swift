/// Reads the fixed fields of a date or a time, from left to right.
struct Digits {
    private let bytes: [UInt8]
    private var index = 0

    /// - Parameter text: of any length; a date has at most ``longest`` bytes.
    init(_ text: some StringProtocol) { bytes = Array(text.utf8.prefix(Digits.longest + 1)) }

    /// `2026-03-29T02:30:00`.
    private static let longest = 19

    var isAtEnd: Bool { index == bytes.count }

    /// Returns the number in this many digits; nil if there is anything else.
    mutating func number(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[index..<index + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += count
        return number
    }

    /// Returns whether the character is next; if so, it is passed.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }
}

extension Int {
    /// With leading zeros.
    func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
