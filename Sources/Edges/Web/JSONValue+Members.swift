internal import Contract
internal import JSON

/// Values from the bridge are read leniently, since it is part of Kith.
extension JSONValue {
    /// The `type` of an exported item.
    var type: String { text("type") ?? "" }

    func text(_ key: String) -> String? {
        if case .string(let text) = self[key] { text } else { nil }
    }

    /// The strings of a list; empty for anything else.
    func texts(_ key: String) -> [String] { self[key]?.elements.compactMap(\.text) ?? [] }

    func number(_ key: String) -> Double? {
        if case .number(let number) = self[key] { number } else { nil }
    }
}
