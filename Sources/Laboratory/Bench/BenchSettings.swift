internal import Contract
internal import JSON
internal import MQTT

/// The settings of a measurement.
public struct BenchSettings: Sendable {
    public var fixes = 100_000
    public var users = 10_000
    public var groupSize = 5
    /// The number of users with their own connection in the gate's measurement.
    public var gatedDevices = 200
    /// The number of fixes in the store before the first one is received.
    public var history = 0
    /// How long the latency is measured; zero: not at all.
    public var latencyFor = Duration.seconds(10)
    /// A PostgreSQL database for the bridge's state, by its URI; nil: SQLite. Each part has a schema
    /// of its own in it, which is dropped at the end.
    public var database: String?
    public var tools: BenchTools

    public init(_ tools: BenchTools) { self.tools = tools }
}

/// The program that receives the fixes.
public enum Part: String, Sendable, CaseIterable {
    /// A subscriber that only counts them.
    case count
    /// Publishes each fix again, retained: the minimum that any bridge has to do.
    case echo
    /// The bridge.
    case kith
    /// The bridge, for devices that each have a connection and watch their groups, on a broker
    /// without the gate and on one with it.
    case ungated
    case gated

    var isBridge: Bool { self != .count && self != .echo }
    var usesDevices: Bool { self == .ungated || self == .gated }
}

/// The names that the measurements use.
enum Stage {
    static func user(_ number: Int) -> String { "user\(number)" }
    static let device = "phone"
    /// The user whose fix is the last one; its receipt shows that all fixes were handled.
    static let last = "the-last"
    static let done = "kith/users/\(last)/devices/\(device)/stored"

    /// The number in a fix or in a receipt.
    static func sequence(_ message: Message) -> Int64? {
        JSONValue(parsing: message.payload)?["seq"]?.integer
    }
}
