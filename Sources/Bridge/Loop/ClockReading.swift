package import Tracking

/// The current time, by two clocks.
package struct ClockReading: Sendable {
    /// The server's clock, which can be set.
    package var wall: Timestamp
    /// The time since some moment in the past; it never goes backwards.
    package var steady: Duration

    package init(wall: Timestamp, steady: Duration) {
        self.wall = wall
        self.steady = steady
    }

    package static var now: ClockReading { ClockReading(wall: Clock.wall, steady: steady) }

    static var steady: Duration { ContinuousClock.now - start }

    private static let start = ContinuousClock.now
}
