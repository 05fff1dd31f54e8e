/// Current problems; each warning is independent of the others.
public struct Warnings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let offline = Warnings(rawValue: 1)
    public static let late = Warnings(rawValue: 2)
    public static let stuck = Warnings(rawValue: 4)
    public static let silent = Warnings(rawValue: 8)
    /// Positions are refused for their time.
    public static let clock = Warnings(rawValue: 16)

    /// In the contract's order.
    public var names: [String] { Warnings.all.compactMap { contains($0.warning) ? $0.name : nil } }

    public static let all: [(warning: Warnings, name: String)] = [
        (.offline, "offline"), (.late, "late"), (.stuck, "stuck"), (.silent, "silent"),
        (.clock, "clock"),
    ]
}
