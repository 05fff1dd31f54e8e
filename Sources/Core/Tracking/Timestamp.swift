/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Arithmetic saturates at the limits, some 292 million years from 1970. Times also come from
/// outside, and no caller has to know how large they may be.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    @inlinable
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let time = time.milliseconds
        let (sum, isBeyond) = time.addingReportingOverflow(duration.milliseconds)
        return Timestamp(milliseconds: isBeyond ? (time < 0 ? .min : .max) : sum)
    }

    @inlinable
    public static func - (time: Timestamp, duration: Duration) -> Timestamp {
        let time = time.milliseconds
        let (rest, isBeyond) = time.subtractingReportingOverflow(duration.milliseconds)
        return Timestamp(milliseconds: isBeyond ? (time < 0 ? .min : .max) : rest)
    }

    @inlinable
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        let left = left.milliseconds
        let (rest, isBeyond) = left.subtractingReportingOverflow(right.milliseconds)
        let milliseconds: Int64 = isBeyond ? (left < 0 ? .min : .max) : rest
        return .milliseconds(milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, and saturated for longer durations.
    @inlinable
    public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isJustBeyond) = whole.addingReportingOverflow(
            attoseconds / 1_000_000_000_000_000)
        return isBeyond || isJustBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}
