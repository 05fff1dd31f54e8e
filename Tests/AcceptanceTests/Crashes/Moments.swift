import Glibc
import Tracking

/// Reproducible random moments: the seed is printed, and read from `KITH_TEST_SEED`.
struct Moments: RandomNumberGenerator {
    let seed: UInt64
    private var generator: SplitMix64

    init() {
        let given = getenv("KITH_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        seed = given ?? UInt64.random(in: 0...999_999)
        generator = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Returns one number in each of `parts` equal parts of the range.
    mutating func spread(_ parts: Int, over count: Int) -> [Int] {
        let length = count / parts
        return (0..<parts).map { $0 * length + Int.random(in: 0..<length, using: &self) }
    }

    mutating func instant(within milliseconds: Int) -> Duration {
        .milliseconds(Int.random(in: 0...milliseconds, using: &self))
    }
}
