/// How fast tracks are replayed, and how their timestamps are changed. No timestamp is ever ahead
/// of the clock.
public struct ReplaySpeed: Hashable, Sendable {
    /// 20 means twenty times as fast as recorded.
    public let speed: Double
    /// Whether timestamps keep their intervals. If so, the last fix is stamped with the time of its
    /// sending and all others arrive late, as in an upload of an earlier recording. Otherwise every
    /// fix is stamped with the time of its sending.
    public let keepsIntervals: Bool

    public static let speeds = 0.01...100_000.0
    public static let real = ReplaySpeed(speed: 1)

    /// - Parameter speed: one of ``speeds``.
    public init(speed: Double, keepsIntervals: Bool = false) {
        precondition(ReplaySpeed.speeds.contains(speed), "too slow or too fast")
        self.speed = speed
        self.keepsIntervals = keepsIntervals
    }
}
