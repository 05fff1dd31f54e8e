/// How fast tracks are replayed, and what becomes of their timestamps. No timestamp ever lies
/// ahead of the clock.
public struct ReplaySpeed: Hashable, Sendable {
    /// 20: twenty times as fast as it was.
    public let speed: Double
    /// Whether timestamps stay as far apart as they were. The last fix is then stamped with the
    /// time of its sending and all others come late, as in an upload of something recorded
    /// before. Otherwise every fix is stamped with the time of its sending.
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
