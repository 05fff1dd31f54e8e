/// The points of the known parameters, their sum, and the unknown parameters.
public struct Score: Hashable, Sendable {
    /// The points of each recently measured parameter.
    public let points: [Parameter: Int]
    /// The parameters with three points, each of which is an alarm by itself.
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

        /// Whether it calls without a question. Fright and effort also raise a pulse: the person is
        /// asked about that first.
        var callsUnasked: Bool { !(parameter == .pulse && isHigh) }
    }

    package init(points: [Parameter: Int], extremes: Set<Extreme>) {
        (self.points, self.extremes) = (points, extremes)
    }

    public var total: Int { points.values.reduce(0, +) }

    /// The parameters that were not measured recently, and count nothing.
    public var missing: [Parameter] { Parameter.allCases.filter { points[$0] == nil } }

    /// The total from which the response is an emergency one.
    public static let emergency = 7
    /// The total from which the response is urgent.
    public static let urgent = 5

    public var isUrgent: Bool { total >= Score.urgent || !extremes.isEmpty }
}
