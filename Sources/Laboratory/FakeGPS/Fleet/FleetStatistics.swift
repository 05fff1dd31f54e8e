/// A fleet's statistics so far.
public struct FleetStatistics: Hashable, Sendable {
    public var phones = 0
    public var connected = 0
    /// Fixes that were sent, each counted once.
    public var sent = 0
    /// Fixes that were sent again.
    public var sentAgain = 0
    /// Fixes that the broker has confirmed.
    public var confirmed = 0
    /// Fixes that the service has confirmed as stored.
    public var receipted = 0
    /// Fixes that the broker or the service refused.
    public var rejected = 0
    /// Fixes that the phones still keep.
    public var kept = 0
    /// Fixes that were dropped because a phone kept too many.
    public var givenUp = 0
    public var reconnects = 0
    /// Unanswered requests.
    public var unanswered = 0

    public init() {}

    static func += (left: inout FleetStatistics, right: FleetStatistics) {
        for field in FleetStatistics.fields { left[keyPath: field] += right[keyPath: field] }
    }

    private static var fields: [WritableKeyPath<FleetStatistics, Int>] {
        [
            \.phones, \.connected, \.sent, \.sentAgain, \.confirmed, \.receipted, \.rejected,
            \.kept, \.givenUp, \.reconnects, \.unanswered,
        ]
    }
}
