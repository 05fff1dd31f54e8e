internal import Contract

/// What comes from the bridge is read leniently: it is ours.
extension JSONValue {
    /// Nil for what is not JSON.
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

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
