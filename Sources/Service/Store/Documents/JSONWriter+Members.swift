internal import Contract
internal import JSON
import Tracking

/// Members of stored documents: times are in milliseconds, and absent values are omitted.
/// Everything written can be read again.
extension JSONWriter {
    /// Writes the nearest integer that a double, and so JSON, represents exactly: no count or time
    /// is larger.
    mutating func member(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        number(min(max(value, -JSONWriter.largestInteger), JSONWriter.largestInteger))
    }

    private static let largestInteger: Int64 = 1 << 53

    /// Omits a number that is not finite, which JSON does not have.
    mutating func member(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        self.key(key)
        number(value)
    }

    mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    mutating func member(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    mutating func member(_ key: StaticString, _ value: Timestamp?) {
        member(key, value?.milliseconds)
    }

    mutating func member(_ key: StaticString, _ value: (some Identifier)?) {
        member(key, value?.rawValue)
    }

    /// Writes an object, whose members the body writes.
    mutating func member<Value>(
        _ key: StaticString, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return }
        self.key(key)
        object { body(&$0, value) }
    }

    /// Writes an array of objects.
    mutating func members<Value>(
        _ key: StaticString, _ values: [Value], _ body: (inout JSONWriter, Value) -> Void
    ) {
        self.key(key)
        array(values) { json, value in json.object { body(&$0, value) } }
    }
}
