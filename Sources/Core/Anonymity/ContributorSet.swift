/// A set of contributors, by opaque numbers: a bit each.
///
/// A number is assigned once, to one person, and never reused, even after the person is erased.
/// Numbers are dense from 0, since the largest decides how many words there are.
public struct ContributorSet: Hashable, Sendable {
    /// Contributor n is bit n % 64 of word n / 64. The last word is not 0.
    public private(set) var words: [UInt64]

    public init(words: [UInt64] = []) {
        self.words = words
        trim()
    }

    public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
    public var isEmpty: Bool { words.isEmpty }

    public func contains(_ number: Int) -> Bool {
        number / 64 < words.count && words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Returns whether the contributor is new.
    @discardableResult
    mutating func insert(_ number: Int) -> Bool {
        precondition(number >= 0, "contributors are counted from 0")
        let (word, bit) = (number / 64, UInt64(1) << (number % 64))
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        defer { words[word] |= bit }
        return words[word] & bit == 0
    }

    /// The words, little-endian.
    public var bytes: [UInt8] {
        words.map(\.littleEndian).withUnsafeBytes { Array($0) }
    }

    /// - Returns: nil if the bytes are not valid words.
    public init?(bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8) else { return nil }
        self.init(
            words: stride(from: 0, to: bytes.count, by: 8).map { start in
                (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << ($1 * 8) }
            })
    }

    func union(_ other: ContributorSet) -> ContributorSet { combined(with: other, |) }
    func intersection(_ other: ContributorSet) -> ContributorSet { combined(with: other, &) }
    func subtracting(_ other: ContributorSet) -> ContributorSet {
        combined(with: other) { $0 & ~$1 }
    }

    private func combined(
        with other: ContributorSet, _ operation: (UInt64, UInt64) -> UInt64
    ) -> ContributorSet {
        ContributorSet(
            words: (0..<max(words.count, other.words.count)).map { index in
                operation(
                    index < words.count ? words[index] : 0,
                    index < other.words.count ? other.words[index] : 0)
            })
    }

    private mutating func trim() {
        while words.last == 0 { words.removeLast() }
    }
}
