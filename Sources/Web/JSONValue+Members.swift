internal import Contract
internal import JSON

/// Values from the bridge are read leniently, since they come from our own program.
extension JSONValue {
    /// Nil if the bytes are not JSON.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        do throws(JSONError) { return try parse(bytes) } catch { return nil }
    }

    /// The `type` of an exported item.
    var type: String { text("type") ?? "" }

    func text(_ key: String) -> String? {
        if case .string(let text) = self[key] { text } else { nil }
    }

    func number(_ key: String) -> Double? {
        if case .number(let number) = self[key] { number } else { nil }
    }
}
