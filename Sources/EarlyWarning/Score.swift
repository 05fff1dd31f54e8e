/// The sum of the points of what is known, and what is not.
public struct Score: Hashable, Sendable {
    /// Of each parameter that was measured lately.
    public let points: [Parameter: Int]
    /// What has three points, each of which is an alarm by itself.
    public let extremes: Set<Extreme>

    /// A parameter that is far too low or far too high.
    public struct Extreme: Hashable, Comparable, Sendable {
        public let parameter: Parameter
        public let isHigh: Bool

        public init(_ parameter: Parameter, isHigh: Bool) {
            (self.parameter, self.isHigh) = (parameter, isHigh)
        }

        public static func < (left: Extreme, right: Extreme) -> Bool {
            (left.parameter, left.isHigh ? 1 : 0) < (right.parameter, right.isHigh ? 1 : 0)
        }

        /// Fright and effort make a pulse too high as well: about that the person is asked first.
        var callsUnasked: Bool { !(parameter == .pulse && isHigh) }
    }

    package init(points: [Parameter: Int], extremes: Set<Extreme>) {
        (self.points, self.extremes) = (points, extremes)
    }

    public var total: Int { points.values.reduce(0, +) }

    /// What was not measured lately, and counts nothing.
    public var missing: [Parameter] { Parameter.allCases.filter { points[$0] == nil } }

    /// From this total on the response is an emergency one.
    public static let emergency = 7
    /// From this total on it is urgent.
    public static let urgent = 5

    public var isUrgent: Bool { total >= Score.urgent || !extremes.isEmpty }
}
