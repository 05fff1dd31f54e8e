/// Finds where another program's structure keeps a number, from structures with known numbers. The
/// only assumption is that the number has four bytes and is aligned.
public struct FieldSearch {
    /// The offsets at which every structure so far had its number, in words of four bytes.
    private var candidates: [Int] = []
    /// The numbers that were found, up to two different ones.
    private var numbers: Set<UInt32> = []
    /// The number of consecutive structures that did not show where it is.
    private var misses = 0

    public init() {}

    /// The offset in words; nil while uncertain. By chance alone a word is equal to both of two
    /// numbers once in 2⁶⁴ times.
    public var place: Int? {
        numbers.count > 1 && candidates.count == 1 ? candidates.first : nil
    }

    /// Whether it is unknown after more structures than needed.
    public var isInVain: Bool { place == nil && misses >= FieldSearch.patience }

    /// - Parameters:
    ///   - words: the structure.
    ///   - number: the number that it may contain.
    public mutating func look(for number: UInt32, in words: [UInt32]) {
        defer { misses = place == nil ? misses + 1 : 0 }
        let hits = words.indices.filter { words[$0] == number }
        guard !hits.isEmpty else { return }
        let common = candidates.isEmpty ? hits : candidates.filter(hits.contains)
        // A contradiction: the earlier matches were wrong.
        if common.isEmpty { numbers = [] }
        candidates = common.isEmpty ? hits : common
        if numbers.count < 2 { numbers.insert(number) }
    }

    /// The number of structures that suffice: two show it, unless other words are equal by chance.
    private static let patience = 4
}
