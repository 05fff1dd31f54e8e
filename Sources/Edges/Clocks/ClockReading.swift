internal import Foundation
internal import Numbers
public import Tracking

/// The current time, by two clocks.
public struct ClockReading: Sendable {
    /// The server's clock, which can be set.
    public var wall: Timestamp
    /// The time since some moment in the past; it never goes backwards.
    public var steady: Duration

    public init(wall: Timestamp, steady: Duration) {
        self.wall = wall
        self.steady = steady
    }

    public static var now: ClockReading {
        ClockReading(wall: .now, steady: ContinuousClock.now - start)
    }

    private static let start = ContinuousClock.now
}

extension Timestamp {
    /// The server's clock. Only programs and loops read it; code that decides is passed the time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64(clamping: Date().timeIntervalSince1970 * 1000))
    }
}
