/// All faults of a configuration, key by key. Values are not repeated, as they may be secret.
public struct SettingsError: Error, CustomStringConvertible, Sendable {
    public let reasons: [String]
    public init(reasons: [String]) { self.reasons = reasons }
    public var description: String { reasons.joined(separator: " ") }
}
