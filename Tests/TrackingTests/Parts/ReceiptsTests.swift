import TestSupport
import Testing
import Tracking

/// Up to which number everything is stored, for devices that resend fixes without a receipt.
struct ReceiptsTests {
    private let noon = Timestamp(milliseconds: 1_795_262_400_000)

    /// Numbers as received; one with a prime was stored before. The receipt after each.
    @Test(arguments: [
        ("1 2 3", "1 2 3"),
        ("7 8 9", "7 8 9"),
        ("0 1", "0 1"),
        // A gap, then what was missing.
        ("1 2 4 5", "1 2 2 2"),
        ("1 2 4 5 3", "1 2 2 2 5"),
        ("1 2 4 5 3 4' 5' 6", "1 2 2 2 5 5 5 6"),
        // Two gaps.
        ("1 3 5 2 4", "1 1 1 3 5"),
        ("1 3 4 6 7 2 5", "1 1 1 1 1 4 7"),
        // Duplicates.
        ("1 1' 2 2' 2'", "1 1 2 2 2"),
        ("1 3 3' 2 3'", "1 1 1 3 3"),
        // A restart.
        ("500 501 1 2 3", "500 501 1 2 3"),
        ("5 6 8 1 2", "5 6 6 1 2"),
        ("5 6 8 1 7 8' 2", "5 6 6 1 1 1 2"),
        // A number beyond a gap is repeated: the missing ones may still follow.
        ("1 5 3 4", "1 1 1 1"),
        ("1 4 5 4' 5' 2 3", "1 1 1 1 1 2 5"),
    ])
    func `Receipts follow the numbers received`(_ numbers: String, _ told: String) {
        var receipts = Receipts()
        #expect(receipts.storedThrough == nil)
        let answers = numbers.split(separator: " ").map { word in
            let isNew = !word.hasSuffix("'")
            receipts.note(Int64(word.prefix { $0 != "'" }) ?? -1, isNew: isNew, at: noon)
            return receipts.storedThrough.map { "\($0)" } ?? "nothing"
        }
        #expect(answers.joined(separator: " ") == told)
    }

    @Test func `A gap that stays open is given up after ten minutes and no sooner`() {
        var receipts = Receipts()
        receipts.note(1, isNew: true, at: noon)
        receipts.note(4, isNew: true, at: noon)
        receipts.note(5, isNew: true, at: noon + .seconds(599))
        #expect(receipts.storedThrough == 1)
        receipts.note(8, isNew: true, at: noon + .seconds(600))
        #expect(receipts.storedThrough == 5)
        receipts.note(9, isNew: true, at: noon + .seconds(1199))
        #expect(receipts.storedThrough == 5)
        receipts.note(10, isNew: true, at: noon + .seconds(1200))
        #expect(receipts.storedThrough == 10)
    }

    @Test func `Receipts ignore numbers that a device cannot have`() {
        var receipts = Receipts()
        for number in [Int64.min, -1, Receipts.numbers.upperBound + 1, .max] {
            receipts.expect(number)
            receipts.note(number, isNew: true, at: noon)
        }
        #expect(receipts == Receipts())
        let last = Receipts.numbers.upperBound
        for number in [last - 2, .max, last, -1, last - 1] {
            receipts.note(number, isNew: true, at: noon)
        }
        #expect(receipts.storedThrough == last)
    }

    @Test func `Numbers beyond 64 stretches have to be sent again`() {
        var receipts = Receipts()
        receipts.note(0, isNew: true, at: noon)
        for index in 1...70 { receipts.note(Int64(2 * index), isNew: true, at: noon) }
        for index in 0..<64 { receipts.note(Int64(2 * index + 1), isNew: true, at: noon) }
        #expect(receipts.storedThrough == 128)
        // 130 to 140 were received when there was no more room.
        receipts.note(129, isNew: true, at: noon)
        #expect(receipts.storedThrough == 129)
        for number: Int64 in 130...140 { receipts.note(number, isNew: number % 2 == 1, at: noon) }
        #expect(receipts.storedThrough == 140)
    }

    @Test func `The largest numbers are handled`() {
        var receipts = Receipts()
        for number: Int64 in [9_007_199_254_740_991, 0, 9_007_199_254_740_991, 1] {
            receipts.note(number, isNew: true, at: noon)
        }
        #expect(receipts.storedThrough == 1)
    }

    /// The recorded numbers, from 1 on, and the number up to which they have no hole.
    private struct Stored {
        private var numbers: Set<Int64> = []
        private(set) var solid: Int64 = 0

        /// - Returns: whether it is new.
        mutating func insert(_ number: Int64) -> Bool {
            guard numbers.insert(number).inserted else { return false }
            while numbers.contains(solid + 1) { solid += 1 }
            return true
        }
    }

    /// A device that keeps every fix until its receipt and resends from the oldest one after each
    /// loss; receipts are also lost on the way.
    @Test(arguments: seeds)
    func `A receipt covers only stored numbers`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var receipts = Receipts()
        var stored = Stored()
        var (oldest, newest): (Int64, Int64) = (1, 1)
        for _ in 0..<200 {
            newest += Int64.random(in: 0...5, using: &random)
            // How many of those sent in this connection get through.
            let arriving = Int64.random(in: 0...(newest - oldest + 1), using: &random)
            for number in oldest..<(oldest + arriving) {
                receipts.note(number, isNew: stored.insert(number), at: noon)
            }
            guard let through = receipts.storedThrough else { continue }
            #expect(through <= stored.solid)
            if Bool.random(using: &random) { oldest = through + 1 }
        }
        for number in oldest..<(newest + 1) {
            receipts.note(number, isNew: stored.insert(number), at: noon)
        }
        #expect(receipts.storedThrough == newest)
    }

    /// The same with holes: a broker that drops from its queue lets later numbers through, until
    /// the device notices and begins again.
    @Test(arguments: seeds)
    func `A receipt never covers a hole`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var receipts = Receipts()
        var stored = Stored()
        receipts.note(1, isNew: stored.insert(1), at: noon)
        var newest: Int64 = 1
        for _ in 0..<50 {
            // New fixes, some of which are dropped …
            let oldest = stored.solid + 1
            for number in (newest + 1)...(newest + 8)
            where Int.random(in: 0..<4, using: &random) > 0 {
                receipts.note(number, isNew: stored.insert(number), at: noon)
                #expect(receipts.storedThrough == stored.solid)
            }
            newest += 8
            // … and then everything without a receipt again, this time without a loss.
            for number in oldest...newest {
                receipts.note(number, isNew: stored.insert(number), at: noon)
                #expect(receipts.storedThrough == stored.solid)
            }
        }
    }
}
