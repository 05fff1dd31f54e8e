internal import Glibc
internal import Tracking

/// The error of a receiver, which drifts slowly around the true position, since the conditions that
/// distort the signals change slowly.
///
/// An Ornstein-Uhlenbeck process for each axis (G. E. Uhlenbeck, L. S. Ornstein, "On the theory of
/// the Brownian motion", Physical Review 36, 1930), with exact steps.
struct ReceiverNoise: Sendable {
    /// The standard deviation for each axis, in metres.
    let deviation: Double
    /// The correlation time of the error, in seconds.
    static let correlationTime = 45.0

    private var error: Vector
    private var at: Duration?
    private var random: SplitMix64

    init(deviation: Double, seed: UInt64) {
        self.deviation = deviation
        random = SplitMix64(seed: seed)
        error = Vector(
            east: deviation * random.nextNormal(), north: deviation * random.nextNormal())
    }

    /// The radius in metres of 95 % of the errors: √(−2 ln 0.05) deviations in two dimensions.
    var accuracy: Double { 2.448 * deviation }

    /// - Parameter offset: not before that of the previous call.
    mutating func error(at offset: Duration) -> Vector {
        if let at, offset > at {
            let memory = exp(-(offset - at).inSeconds / ReceiverNoise.correlationTime)
            let fresh = deviation * (1 - memory * memory).squareRoot()
            error.east = error.east * memory + fresh * random.nextNormal()
            error.north = error.north * memory + fresh * random.nextNormal()
        }
        at = offset
        return error
    }
}

extension SplitMix64 {
    /// Returns a number in 0..<1.
    mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", 1958.
    mutating func nextNormal() -> Double {
        let radius = (-2 * log(1 - nextUnit())).squareRoot()
        return radius * cos(2 * .pi * nextUnit())
    }

    mutating func next(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * nextUnit()
    }

    mutating func next(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next(upperBound: UInt64(range.count)))
    }
}
