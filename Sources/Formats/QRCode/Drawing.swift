/// The squares of a code, in the order in which they are drawn.
struct Drawing {
    private var squares: [[Bool?]]
    private let size: Int

    var rows: [[Bool]] { squares.map { $0.map { $0 ?? false } } }

    init(_ layout: Layout, _ words: [UInt8], mask: Int) {
        size = layout.size
        squares = Array(repeating: Array(repeating: nil, count: size), count: size)
        drawTiming()
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        drawAlignment(layout.alignment)
        drawFormat(mask)
        if layout.version >= 7 { drawVersion(layout.version) }
        drawWords(words, mask)
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) { squares[y][x] = isDark }

    private mutating func drawTiming() {
        for at in 0..<size {
            set(6, at, at.isMultiple(of: 2))
            set(at, 6, at.isMultiple(of: 2))
        }
    }

    private mutating func drawFinder(_ left: Int, _ top: Int) {
        for y in -4...4 {
            for x in -4...4
            where squares.indices.contains(top + y) && squares.indices.contains(left + x) {
                let ring = max(abs(x), abs(y))
                set(left + x, top + y, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ centres: [Int]) {
        let last = centres.count - 1
        for (row, top) in centres.enumerated() {
            for (column, left) in centres.enumerated() {
                let isCorner =
                    row == 0 && (column == 0 || column == last) || row == last && column == 0
                guard !isCorner else { continue }
                for y in -2...2 {
                    for x in -2...2 { set(left + x, top + y, max(abs(x), abs(y)) != 1) }
                }
            }
        }
    }

    private mutating func drawFormat(_ mask: Int) {
        // Level M is 0.
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (far, near) = (size - 11 + index % 3, index / 3)
            set(far, near, isDark)
            set(near, far, isDark)
        }
    }

    /// Fills the remaining squares, in columns of two from the right, upwards and downwards in
    /// turn.
    private mutating func drawWords(_ words: [UInt8], _ mask: Int) {
        var index = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                let y = (right + 1) & 2 == 0 ? size - 1 - step : step
                for x in [right, right - 1] where squares[y][x] == nil {
                    // The last squares may have no word.
                    let word = index >> 3 < words.count ? words[index >> 3] : 0
                    let isSet = word >> (7 - index & 7) & 1 == 1
                    squares[y][x] = isSet != Drawing.isMasked(x, y, mask)
                    index += 1
                }
            }
            right -= 2
        }
    }

    private static func isMasked(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
