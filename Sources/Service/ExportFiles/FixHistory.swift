internal import HeapModule
internal import Tracking

/// Puts a device's fixes into the order in which they were taken.
///
/// They are stored in order of arrival, which is mostly that of time. Parts with overlapping times
/// are merged as long as that takes no more than ``maximumOpen`` fixes in memory. Beyond that,
/// which only a device that sends its history out of order can cause, the order is not kept.
struct FixHistory<Locator> {
    /// With their numbers in order of arrival; the earliest last.
    private var parts: [(number: Int, part: HistoryPart<Locator>)]
    private var open = Heap<Entry>()

    private struct Entry: Comparable {
        let fix: Fix
        let part: Int
        let index: Int

        static func == (left: Entry, right: Entry) -> Bool {
            (left.part, left.index) == (right.part, right.index)
        }
        static func < (left: Entry, right: Entry) -> Bool {
            (left.fix.takenAt, left.part, left.index)
                < (right.fix.takenAt, right.part, right.index)
        }
    }

    /// About 6 MB.
    static var maximumOpen: Int { 50_000 }

    /// - Parameter parts: in order of arrival.
    init(_ parts: [HistoryPart<Locator>]) {
        self.parts = parts.enumerated().map { ($0, $1) }
            .sorted { ($0.part.earliest, $0.number) > ($1.part.earliest, $1.number) }
    }

    /// Returns the next fixes, at least one; nil at the end.
    ///
    /// - Parameter read: returns the fixes of a part, in order of arrival.
    mutating func next(_ read: (Locator) async throws -> [Fix]) async throws -> [Fix]? {
        while let (number, part) = parts.last, open.count < FixHistory.maximumOpen,
            open.min.map({ part.earliest <= $0.fix.takenAt }) ?? true
        {
            parts.removeLast()
            for (index, fix) in try await read(part.locator).enumerated() {
                open.insert(Entry(fix: fix, part: number, index: index))
            }
        }
        let end = parts.last?.part.earliest
        var fixes: [Fix] = []
        while let first = open.min, open.count >= FixHistory.maximumOpen || isBefore(first, end) {
            open.removeMin()
            fixes.append(first.fix)
        }
        return fixes.isEmpty ? nil : fixes
    }

    private func isBefore(_ entry: Entry, _ end: Timestamp?) -> Bool {
        end.map { entry.fix.takenAt < $0 } ?? true
    }
}
