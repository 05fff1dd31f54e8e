/// The capacity of a version, and its division into blocks.
struct Layout {
    let version: Int
    /// Codewords for error correction in a block, and the number of blocks.
    let correction: Int
    let blocks: Int
    /// All codewords.
    let total: Int
    /// The centres of the alignment patterns.
    let alignment: [Int]

    var size: Int { version * 4 + 17 }
    private var dataCount: Int { total - correction * blocks }
    private var lengthBits: Int { version < 10 ? 8 : 16 }
    /// In bytes, without mode and length.
    private var capacity: Int { dataCount - (version < 10 ? 2 : 3) }

    private static let all: [Layout] = [
        (10, 1, 26, []), (16, 1, 44, [6, 18]), (26, 1, 70, [6, 22]), (18, 2, 100, [6, 26]),
        (24, 2, 134, [6, 30]), (16, 4, 172, [6, 34]), (18, 4, 196, [6, 22, 38]),
        (22, 4, 242, [6, 24, 42]), (22, 5, 292, [6, 26, 46]), (26, 5, 346, [6, 28, 50]),
    ].enumerated().map { index, row in
        Layout(
            version: index + 1, correction: row.0, blocks: row.1, total: row.2, alignment: row.3)
    }

    static func smallest(for count: Int) -> Layout? { all.first { count <= $0.capacity } }

    /// Returns the codewords in drawing order: a word of each block in turn, with their error
    /// correction.
    func words(_ bytes: [UInt8]) -> [UInt8] {
        let words = dataWords(bytes)
        let (short, long) = (words.count / blocks, words.count % blocks)
        let code = ReedSolomon(degree: correction)
        var data: [[UInt8]] = []
        var begin = 0
        for block in 0..<blocks {
            let end = begin + short + (block >= blocks - long ? 1 : 0)
            data.append(Array(words[begin..<end]))
            begin = end
        }
        let corrections = data.map(code.remainder)
        return (0...short).flatMap { index in data.compactMap { index < $0.count ? $0[index] : nil }
        }
            + (0..<correction).flatMap { index in corrections.map { $0[index] } }
    }

    private func dataWords(_ bytes: [UInt8]) -> [UInt8] {
        var bits: [UInt8] = []
        func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
        }
        put(4, 4)
        put(bytes.count, lengthBits)
        for byte in bytes { put(Int(byte), 8) }
        put(0, min(4, dataCount * 8 - bits.count))
        while !bits.count.isMultiple(of: 8) { bits.append(0) }
        var words = stride(from: 0, to: bits.count, by: 8).map { begin in
            bits[begin..<(begin + 8)].reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        var filler: UInt8 = 0xEC
        while words.count < dataCount {
            words.append(filler)
            filler ^= 0xEC ^ 0x11
        }
        return words
    }
}

/// Error correction over the field of 256 with the polynomial 0x11D.
struct ReedSolomon {
    /// The generator's coefficients after the first, which is 1.
    private let generator: [UInt8]

    init(degree: Int) {
        var factors: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            var next = factors + [0]
            for (index, factor) in factors.enumerated() {
                next[index + 1] ^= ReedSolomon.times(factor, root)
            }
            factors = next
            root = ReedSolomon.times(root, 2)
        }
        generator = Array(factors.dropFirst())
    }

    func remainder(_ words: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: generator.count)
        for word in words {
            let factor = word ^ rest.removeFirst()
            rest.append(0)
            for (index, coefficient) in generator.enumerated() {
                rest[index] ^= ReedSolomon.times(coefficient, factor)
            }
        }
        return rest
    }

    private static func times(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            let isOver = product >> 7 == 1
            product <<= 1
            if isOver { product ^= 0x1D }
            if right >> bit & 1 == 1 { product ^= left }
        }
        return product
    }
}
