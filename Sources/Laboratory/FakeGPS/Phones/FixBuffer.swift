internal import DequeModule
internal import Tracking

/// The fixes that a phone still has to keep: those that it has not sent, and those that have not
/// been confirmed as stored.
///
/// A fix gets its number when it is first sent, so that fixes dropped before that leave no gap in
/// the numbers: a receipt never covers a gap.
struct FixBuffer {
    /// A day of fixes at one per second.
    static let capacity = 100_000

    /// In ascending order of number, followed by those without a number, which are the newest.
    private(set) var fixes: Deque<Fix> = []
    /// How many fixes, from the front, have a number.
    private(set) var numberedCount = 0
    /// How many fixes, from the front, have been sent over the current connection.
    private(set) var sentCount = 0
    private(set) var lastNumber: Int64 = 0
    /// The number of fixes dropped because there were too many.
    private(set) var givenUpCount = 0

    init() {}

    /// Restores the fixes kept before a restart.
    ///
    /// - Parameters:
    ///   - fixes: in ascending order of number, followed by those without one.
    ///   - lastNumber: not less than those of the fixes.
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

    /// Returns the fixes to send next, the oldest first.
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

    /// Makes all kept fixes be sent again, from the oldest.
    mutating func rewind() { sentCount = 0 }

    /// Handles a receipt.
    ///
    /// - Returns: the number of fixes that it covers. A receipt for a number that was never
    ///   assigned comes from an earlier run of the phone and covers none.
    mutating func release(through number: Int64) -> Int {
        guard number <= lastNumber else { return 0 }
        let count = position(of: number + 1)
        fixes.removeFirst(count)
        numberedCount -= count
        sentCount = max(0, sentCount - count)
        return count
    }

    /// Removes fixes that have been or will never be stored.
    ///
    /// - Returns: how many of them were in the buffer.
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

    /// The number of fixes with a smaller number.
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
