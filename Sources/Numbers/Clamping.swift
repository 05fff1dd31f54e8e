extension FixedWidthInteger {
    /// The integer towards zero from a number; the nearest that there is for what lies beyond all of
    /// this type, and zero for NaN.
    ///
    /// The standard library's `init(_:)` ends the process for these, and numbers come from outside:
    /// `TrapTests` lets nothing else convert them. Where such a number means something else than the
    /// nearest one, check its range first, or use `init(exactly:)`.
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
    /// As many seconds as a number says; zero for NaN, and at most some 292 years, in which
    /// milliseconds and nanoseconds can be counted.
    ///
    /// The standard library's `seconds(_:)` ends the process for what it cannot hold.
    @inlinable
    public static func seconds(clamping number: Double) -> Duration {
        .nanoseconds(Int64(clamping: number * 1e9))
    }
}
