internal import Numbers

/// A parsed JSON text (RFC 8259).
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// Infinite if the text has a number beyond the range of a double.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The member with that name; the last one if there are several.
    ///
    /// - Parameter key: ASCII. An equal text with as many bytes is the same byte by byte, since
    ///   other text that is canonically equivalent to ASCII is longer in UTF-8.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        let length = key.utf8.count
        guard
            let place = members.lastIndex(where: { $0.key.utf8.count == length && $0.key == key })
        else { return nil }
        return members[place].value
    }

    /// The string, if it is one.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array; none of anything else.
    public var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The number, if it is a whole number that a double holds exactly.
    public var integer: Int64? {
        guard case .number(let number) = self, abs(number) <= 9_007_199_254_740_992,
            number.rounded() == number
        else { return nil }
        return Int64(clamping: number)
    }
}

/// Why a text is not JSON, and at which byte offset. The text itself is not repeated.
public struct JSONError: Error, Hashable, Sendable {
    public let offset: Int
    public let reason: String
}
