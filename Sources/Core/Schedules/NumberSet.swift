/// Some of the numbers 0...63.
struct NumberSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    init() {}

    init(_ range: ClosedRange<Int>) { for number in range { insert(number) } }

    var isEmpty: Bool { bits == 0 }

    func contains(_ number: Int) -> Bool { bits & (1 << UInt64(number)) != 0 }

    mutating func insert(_ number: Int) { bits |= 1 << UInt64(number) }

    /// Ascending.
    var numbers: [Int] { (0..<64).filter(contains) }
}
