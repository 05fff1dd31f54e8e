extension FixedWidthInteger {
    /// Rounds a number towards zero, clamped to this type's range; NaN becomes zero.
    ///
    /// The standard library's `init(_:)` ends the process for numbers out of range and NaN, and
    /// numbers come from outside: `TrapTests` permits no other conversion. If the nearest value
    /// would have a wrong meaning, check the range first, or use `init(exactly:)`.
    @inlinable
    public init(clamping number: Double) {
        if let integer = Self(exactly: number.rounded(.towardZero)) {
            self = integer
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }
}

extension Duration {
    /// Returns this many seconds; zero for NaN, and at most some 292 years, in which milliseconds
    /// and nanoseconds can be counted.
    ///
    /// The standard library's `seconds(_:)` ends the process for values that it cannot hold.
    @inlinable
    public static func seconds(clamping number: Double) -> Duration {
        .nanoseconds(Int64(clamping: number * 1e9))
    }
}
