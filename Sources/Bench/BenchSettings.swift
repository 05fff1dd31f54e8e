internal import Contract
internal import MQTT

/// What is measured.
public struct BenchSettings: Sendable {
    public var fixes = 100_000
    public var users = 10_000
    public var groupSize = 5
    /// How many of the users have a connection of their own where the gate is measured.
    public var gatedDevices = 200
    /// Fixes that are in the store before the first one comes.
    public var history = 0
    /// Whether the latency is measured as well, and for how long.
    public var latencyFor = Duration.seconds(10)
    public var tools: BenchTools

    public init(_ tools: BenchTools) { self.tools = tools }
}

/// Who takes the fixes.
public enum Part: String, Sendable, CaseIterable {
    /// Counts them.
    case count
    /// Publishes each once more, retained: what any bridge must at least do.
    case echo
    /// The bridge.
    case kith
    /// The bridge, for devices with a connection each that watch their groups, on a broker
    /// without the gate and on one with it.
    case ungated
    case gated

    var isBridge: Bool { self != .count && self != .echo }
    var hasCompany: Bool { self == .ungated || self == .gated }
}

/// The names on the stage.
enum Stage {
    static func user(_ number: Int) -> String { "user\(number)" }
    static let device = "phone"
    /// Its fix is the last one, and its receipt says that all were taken.
    static let last = "the-last"
    static let done = "kith/users/\(last)/devices/\(device)/stored"

    /// The number in a fix or in a receipt.
    static func sequence(_ message: Message) -> Int64? {
        do { return try JSONValue.parse(message.payload)["seq"]?.integer } catch { return nil }
    }
}
