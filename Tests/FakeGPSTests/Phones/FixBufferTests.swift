import Testing
import Tracking

@testable import FakeGPS

/// A phone's buffer as a table: the steps, then what it would send next and keep.
struct FixBufferTests {
    enum Step {
        case take(Int)
        case send(Int)
        case reconnect
        case receipt(Int64)
        case rejected([Int64])
    }

    static let cases: [(name: String, steps: [Step], next: [Int64], kept: Int)] = [
        ("nothing yet", [], [], 0),
        ("the first ones", [.take(3)], [1, 2, 3], 3),
        ("what is sent is kept", [.take(3), .send(2)], [3], 3),
        ("a receipt covers all before it", [.take(5), .send(5), .receipt(3)], [], 2),
        ("a receipt may come twice", [.take(5), .send(5), .receipt(3), .receipt(3)], [], 2),
        (
            "an old receipt covers nothing more", [.take(5), .send(5), .receipt(3), .receipt(1)],
            [], 2
        ),
        (
            "a receipt of another life covers nothing", [.take(5), .send(2), .receipt(9)],
            [3, 4, 5], 5
        ),
        (
            "everything is sent again, the oldest first", [.take(4), .send(4), .reconnect],
            [1, 2, 3, 4], 4
        ),
        (
            "what has a receipt is not sent again",
            [.take(4), .send(4), .receipt(2), .reconnect], [3, 4], 2
        ),
        (
            "a receipt may come while sending again",
            [.take(4), .send(4), .reconnect, .send(1), .receipt(3)], [4], 1
        ),
        (
            "a receipt may come before sending again",
            [.take(4), .send(4), .reconnect, .receipt(2)], [3, 4], 2
        ),
        (
            "new ones follow the old ones",
            [.take(2), .send(2), .reconnect, .take(2), .send(3)], [4], 4
        ),
        (
            "a rejected one is done with", [.take(4), .send(4), .rejected([2, 4]), .reconnect],
            [1, 3], 2
        ),
        (
            "a rejected one may be covered as well",
            [.take(4), .send(4), .rejected([2]), .receipt(3), .reconnect], [4], 1
        ),
        ("strange numbers are nobody's", [.take(2), .send(2), .rejected([0, -1, 3, 99])], [], 2),
        ("all is well in the end", [.take(4), .send(4), .receipt(4)], [], 0),
        ("numbers go on", [.take(2), .send(2), .receipt(2), .take(1)], [3], 1),
    ]

    @Test(arguments: cases.indices) func `A buffer keeps every fix without a receipt`(index: Int) {
        let (name, steps, next, kept) = FixBufferTests.cases[index]
        var buffer = FixBuffer()
        for step in steps { buffer.apply(step) }
        #expect(buffer.fixes.count == kept, "\(name)")
        #expect(buffer.next(atMost: 100).map(\.sequence) == next, "\(name)")
        #expect(buffer.isEmpty == (kept == 0), "\(name)")
    }

    @Test func `An overflow drops the oldest fixes without a number`() {
        var buffer = FixBuffer()
        buffer.take(2)
        _ = buffer.next(atMost: 2)
        buffer.take(FixBuffer.capacity)
        #expect(buffer.fixes.count == FixBuffer.capacity)
        #expect(buffer.givenUpCount == 2)
        buffer.rewind()
        #expect(buffer.next(atMost: 3).map(\.sequence) == [1, 2, 3])
        #expect(Array(buffer.fixes)[2].takenAt == Timestamp(milliseconds: 4))
    }

    @Test func `A full buffer of numbered fixes drops the newest, so no number is missing`() {
        var buffer = FixBuffer()
        buffer.take(FixBuffer.capacity)
        _ = buffer.next(atMost: FixBuffer.capacity)
        buffer.take(1)
        #expect(buffer.givenUpCount == 1)
        #expect(buffer.release(through: Int64(FixBuffer.capacity)) == FixBuffer.capacity)
        buffer.take(1)
        #expect(buffer.next(atMost: 1).map(\.sequence) == [Int64(FixBuffer.capacity) + 1])
    }

    @Test func `A restored buffer continues where the earlier one ended`() {
        var before = FixBuffer()
        before.take(5)
        _ = before.next(atMost: 3)
        _ = before.release(through: 1)
        var after = FixBuffer(restoring: Array(before.fixes), lastNumber: before.lastNumber)
        #expect(after.next(atMost: 9).map(\.sequence) == [2, 3, 4, 5])
    }

    @Test(arguments: [UInt64](1...200))
    func `A random history loses no fix and numbers fixes without gaps`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffer = FixBuffer()
        var (promised, taken): (Set<Int64>, Int) = ([], 0)
        for _ in 0..<300 {
            switch random.next(in: 0...9) {
            case 0...3:
                buffer.take(1)
                taken += 1
            case 4...6:
                let sent = buffer.next(atMost: random.next(in: 1...5)).compactMap(\.sequence)
                #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 < $1 })
            case 7: buffer.rewind()
            case 8:
                let through = Int64(random.next(in: 0...taken))
                if through <= buffer.lastNumber { promised.formUnion(1..<(through + 1)) }
                _ = buffer.release(through: through)
            default:
                let number = Int64(random.next(in: 1...max(1, taken)))
                if buffer.release([number]) == 1 { promised.insert(number) }
            }
            let kept = Set(buffer.fixes.compactMap(\.sequence))
            let numbered = Set((1..<(buffer.lastNumber + 1)))
            #expect(numbered.subtracting(kept).isSubset(of: promised.union(kept)), "seed \(seed)")
            #expect(buffer.numberedCount == kept.count, "seed \(seed)")
            #expect(buffer.sentCount <= buffer.numberedCount, "seed \(seed)")
        }
    }
}

extension FixBuffer {
    mutating func apply(_ step: FixBufferTests.Step) {
        switch step {
        case .take(let count): take(count)
        case .send(let count): _ = next(atMost: count)
        case .reconnect: rewind()
        case .receipt(let number): _ = release(through: number)
        case .rejected(let numbers): _ = release(numbers)
        }
    }

    mutating func take(_ count: Int) {
        for _ in 0..<count {
            let time = Timestamp(milliseconds: Int64(fixes.count))
            keep(Fix(coordinate: place(1, 1), takenAt: time, receivedAt: time))
        }
    }
}
