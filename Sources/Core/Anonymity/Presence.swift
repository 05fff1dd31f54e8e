/// One cell of a fixed grid, at one hour of the day.
public struct Presence: Hashable, Comparable, Sendable {
    /// 0 to 23, in UTC.
    public let hour: Int
    /// The caller's name of a cell that is at least a kilometre wide.
    public let cell: Int64

    public static let hours = 24

    public init(hour: Int, cell: Int64) {
        precondition((0..<Self.hours).contains(hour), "a day has 24 hours")
        (self.hour, self.cell) = (hour, cell)
    }

    public static func < (one: Presence, other: Presence) -> Bool {
        (one.hour, one.cell) < (other.hour, other.cell)
    }
}
