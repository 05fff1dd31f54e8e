internal import Glibc
internal import Tracking

/// The error of a receiver: it wanders slowly around the truth, since what bends the signals
/// changes slowly.
///
/// An Ornstein-Uhlenbeck process for each axis (G. E. Uhlenbeck, L. S. Ornstein, "On the theory
/// of the Brownian motion", Physical Review 36, 1930), stepped exactly.
struct ReceiverNoise: Sendable {
    /// Metres: the standard deviation for each axis.
    let deviation: Double
    /// How long an error lasts.
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

    /// Metres: 95 % of the errors are smaller; √(−2 ln 0.05) deviations in two dimensions.
    var accuracy: Double { 2.448 * deviation }

    /// - Parameter offset: not before the one of the last call.
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
    /// 0..<1.
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
