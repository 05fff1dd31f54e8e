internal import DequeModule
internal import Tracking

/// The fixes that a phone still has to keep: those that it has not sent, and those that nobody
/// has promised to keep instead of it.
///
/// A fix gets its number when it is first sent, so that what is given up before leaves no hole
/// in the numbers: a receipt never covers a hole.
struct FixBuffer {
    /// A day of fixes, one a second.
    static let capacity = 100_000

    /// Ascending by number; those without a number, the newest, behind those with one.
    private(set) var fixes: Deque<Fix> = []
    /// How many of them, from the front, have a number.
    private(set) var numberedCount = 0
    /// How many of them, from the front, have been sent over the present connection.
    private(set) var sentCount = 0
    private(set) var lastNumber: Int64 = 0
    /// How many fixes were lost because there were too many.
    private(set) var givenUpCount = 0

    init() {}

    /// What was kept before a restart.
    ///
    /// - Parameters:
    ///   - fixes: ascending by number, those without one behind those with one.
    ///   - lastNumber: not below those of the fixes.
    init(restoring fixes: [Fix], lastNumber: Int64) {
        self.fixes = Deque(fixes)
        numberedCount = fixes.prefix { $0.sequence != nil }.count
        self.lastNumber = lastNumber
    }

    var isEmpty: Bool { fixes.isEmpty }
    var hasUnsent: Bool { sentCount < fixes.count }

    mutating func keep(_ fix: Fix) {
        if fixes.count == FixBuffer.capacity {
            givenUpCount += 1
            guard numberedCount < fixes.count else { return }
            fixes.remove(at: numberedCount)
        }
        fixes.append(fix)
    }

    /// What to send next, the oldest first.
    mutating func next(atMost limit: Int) -> [Fix] {
        let range = sentCount..<min(fixes.count, sentCount + limit)
        for index in range where index >= numberedCount {
            lastNumber += 1
            fixes[index].sequence = lastNumber
        }
        numberedCount = max(numberedCount, range.upperBound)
        sentCount = range.upperBound
        return Array(fixes[range])
    }

    /// What is kept has to be sent again, from the oldest on.
    mutating func rewind() { sentCount = 0 }

    /// A receipt came.
    ///
    /// - Returns: how many fixes it covers. One for a number that was never given speaks of an
    ///   earlier life of the phone and covers none.
    mutating func release(through number: Int64) -> Int {
        guard number <= lastNumber else { return 0 }
        let count = position(of: number + 1)
        fixes.removeFirst(count)
        numberedCount -= count
        sentCount = max(0, sentCount - count)
        return count
    }

    /// Somebody else has them now, or will never have them.
    ///
    /// - Returns: how many of them were kept.
    mutating func release(_ numbers: some Sequence<Int64>) -> Int {
        var count = 0
        for number in numbers {
            let index = position(of: number)
            guard index < numberedCount, fixes[index].sequence == number else { continue }
            fixes.remove(at: index)
            numberedCount -= 1
            if index < sentCount { sentCount -= 1 }
            count += 1
        }
        return count
    }

    /// How many of the fixes have a smaller number.
    private func position(of number: Int64) -> Int {
        var (low, high) = (0, numberedCount)
        while low < high {
            let middle = (low + high) / 2
            if let sequence = fixes[middle].sequence, sequence < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
