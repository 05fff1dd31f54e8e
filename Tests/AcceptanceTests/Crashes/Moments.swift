import Glibc

/// Reproducible random moments: the seed is printed, and read from `KITH_TEST_SEED`.
struct Moments: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init() {
        let given = getenv("KITH_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        seed = given ?? UInt64.random(in: 0...999_999)
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns one number in each of `parts` equal parts of the range.
    mutating func spread(_ parts: Int, over count: Int) -> [Int] {
        let length = count / parts
        return (0..<parts).map { $0 * length + Int.random(in: 0..<length, using: &self) }
    }

    mutating func instant(within milliseconds: Int) -> Duration {
        .milliseconds(Int.random(in: 0...milliseconds, using: &self))
    }
}
