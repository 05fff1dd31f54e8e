/// A UUID of version 7 (RFC 9562, 5.7), which sorts by time.
public struct UUIDv7: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    /// - Parameters:
    ///   - random: 74 of these bits are used.
    public init(at time: Timestamp, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Greater than another one, even within the same millisecond or if the clock was set back (RFC
    /// 9562, 6.2, method 2).
    public init(after last: UUIDv7?, at time: Timestamp, random: (UInt64, UInt64)) {
        let usual = UUIDv7(at: time, random: random)
        self = last.map { max($0.next, usual) } ?? usual
    }

    /// The smallest greater one with the same version and variant.
    private var next: UUIDv7 {
        let (lowBits, highBits) = (low & 0x3FFF_FFFF_FFFF_FFFF, high & 0x0FFF)
        if lowBits < 0x3FFF_FFFF_FFFF_FFFF { return UUIDv7(high: high, low: low + 1) }
        if highBits < 0x0FFF { return UUIDv7(high: high + 1, low: 0x8000_0000_0000_0000) }
        return UUIDv7(at: time + .milliseconds(1), random: (0, 0))
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Derives the random bits from the user and one of their numbers: the same decision, repeated
    /// after a crash, gets the same id.
    public init(at time: Timestamp, user: UserID, number: Int64) {
        var mixer = SplitMix64(seed: UInt64(bitPattern: user.rawValue))
        mixer = SplitMix64(seed: mixer.next() ^ UInt64(bitPattern: number))
        self.init(at: time, random: (mixer.next(), mixer.next()))
    }

    /// Nil for anything but 36 characters in the usual form.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            words = (words.0 << 4 | words.1 >> 60, words.1 << 4 | UInt64(digit))
        }
        (high, low) = words
    }

    public var time: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }

    public static func < (left: UUIDv7, right: UUIDv7) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    public var description: String {
        let digits = Array("0123456789abcdef")
        var text = ""
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            let word = index < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - 4 * (index % 16)) & 15)])
        }
        return text
    }
}

/// A small generator with a seed (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014). Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
