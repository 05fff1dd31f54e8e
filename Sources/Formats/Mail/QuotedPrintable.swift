/// RFC 2045, 6.7: text in lines of at most 76 characters of ASCII.
enum QuotedPrintable {
    /// - Returns: lines ended by CR and LF.
    static func encode(_ text: String) -> String {
        let lines = Array(text.utf8)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        // A final line ending does not begin another line.
        let ended = lines.last?.isEmpty ?? false ? lines.dropLast() : lines[...]
        return ended.map { encode(line: $0) + "\r\n" }.joined()
    }

    private static func encode(line: ArraySlice<UInt8>) -> String {
        var result = ""
        var length = 0
        for (index, byte) in zip(line.indices, line) {
            let isLast = index == line.endIndex - 1
            let token =
                isLiteral(byte, isFirst: length == 0, isLast: isLast)
                ? String(UnicodeScalar(byte)) : "=\(hexadecimal(byte))"
            if length + token.utf8.count > (isLast ? longest : longest - 1) {
                // A soft break, whose sign also takes a character.
                result += "=\r\n"
                length = 0
            }
            result += token
            length += token.utf8.count
        }
        return result
    }

    /// Returns whether a byte is written as it is. At the beginning of a line some programs give a
    /// dot or an F a meaning, and at the end blanks get lost.
    private static func isLiteral(_ byte: UInt8, isFirst: Bool, isLast: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): !isLast
        case UInt8(ascii: "."), UInt8(ascii: "F"): !isFirst
        case UInt8(ascii: "="): false
        default: (0x21...0x7E).contains(byte)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }

    private static let longest = 76
}
