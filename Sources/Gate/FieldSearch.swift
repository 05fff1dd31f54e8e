/// Finds where a structure of another program keeps a number, by structures of which that number is
/// known. Nothing is assumed of the structure but that the number has four bytes and is aligned.
public struct FieldSearch {
    /// The offsets at which every structure so far had its number, in words of four bytes.
    private var candidates: [Int] = []
    /// The numbers that were found, up to two different ones.
    private var numbers: Set<UInt32> = []
    /// How many structures in a row did not show where it is.
    private var misses = 0

    public init() {}

    /// The offset in words; nil while it is not known for certain. By chance alone a word is equal
    /// to both of two numbers once in 2⁶⁴ times.
    public var place: Int? {
        numbers.count > 1 && candidates.count == 1 ? candidates.first : nil
    }

    /// Whether it is not known after more structures than are needed.
    public var isInVain: Bool { place == nil && misses >= FieldSearch.patience }

    /// - Parameters:
    ///   - words: the structure.
    ///   - number: what it holds somewhere, if it holds it at all.
    public mutating func look(for number: UInt32, in words: [UInt32]) {
        defer { misses = place == nil ? misses + 1 : 0 }
        let hits = words.indices.filter { words[$0] == number }
        guard !hits.isEmpty else { return }
        let common = candidates.isEmpty ? hits : candidates.filter(hits.contains)
        // A contradiction: what was found before was something else.
        if common.isEmpty { numbers = [] }
        candidates = common.isEmpty ? hits : common
        if numbers.count < 2 { numbers.insert(number) }
    }

    /// Two show it, if nothing else in them is equal by chance.
    private static let patience = 4
}
