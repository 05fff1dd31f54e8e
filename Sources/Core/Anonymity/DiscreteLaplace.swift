/// Integers with probability proportional to exp(-|x| / scale), the two-sided geometric
/// distribution.
///
/// It is the best noise for a count, whatever the reader knows beforehand (Ghosh, Roughgarden and
/// Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", STOC 2009). The samples are
/// exact, drawn with integers only (Canonne, Kamath and Steinke, "The Discrete Gaussian for
/// Differential Privacy", 2020, algorithms 1 and 2, arXiv:2004.00010): the holes that floating
/// point leaves reveal the true count (Mironov, CCS 2012).
public struct DiscreteLaplace: Hashable, Sendable {
    private let numerator: Int
    private let denominator: Int

    /// The scale as a fraction of two positive numbers.
    public init(scale numerator: Int, over denominator: Int = 1) {
        precondition(numerator > 0 && denominator > 0, "a scale is positive")
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    public func sample(using generator: inout some RandomNumberGenerator) -> Int {
        while true {
            let remainder = Int.random(in: 0..<numerator, using: &generator)
            guard Self.decays(remainder, over: numerator, using: &generator) else { continue }
            var rounds = 0
            while Self.decays(1, over: 1, using: &generator) { rounds += 1 }
            let size = (remainder + numerator * rounds) / denominator
            let isNegative = Bool.random(using: &generator)
            if isNegative && size == 0 { continue }  // Zero has one sign.
            return isNegative ? -size : size
        }
    }

    /// Returns true with the probability exp(-numerator / denominator), a fraction of at most 1.
    private static func decays(
        _ numerator: Int, over denominator: Int, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        var tries = 1
        while Int.random(in: 0..<(denominator * tries), using: &generator) < numerator {
            tries += 1
        }
        return !tries.isMultiple(of: 2)
    }
}
