import Testing
import Tracking

@testable import Store

struct DeviceLogTests {
    private static let phone = DeviceID(rawValue: 1)

    private func fix(_ seconds: Int) -> Fix { .taken(Int64(seconds)) }

    /// A log that has recorded fixes taken at these seconds, as numbers 101, 102 and so on.
    private func log(_ seconds: some Sequence<Int>) -> (log: DeviceLog, chunks: [DeviceLog.Chunk]) {
        var log = DeviceLog(device: DeviceLogTests.phone)
        var chunks: [DeviceLog.Chunk] = []
        for (index, second) in seconds.enumerated() {
            if let chunk = log.note(fix(second), as: FixID(rawValue: Int64(101 + index))) {
                chunks.append(chunk)
            }
        }
        return (log, chunks)
    }

    @Test(arguments: [
        (0, 10, DeviceLog.Novelty.new),
        (5, 100, .new),
        // The newest, some other, and one before all.
        (5, 4, .known),
        (5, 2, .uncertain),
        (5, 0, .uncertain),
        (5, -1, .new),
        // Past a chunk, any fix may be in it.
        (32, 31, .known),
        (32, 30, .uncertain),
        (32, -1, .uncertain),
        (32, 32, .new),
        (40, 39, .known),
        (40, 32, .uncertain),
        (40, -1, .uncertain),
    ])
    func `A fix is new, known, or uncertain without the store`(
        noted count: Int, _ second: Int, novelty: DeviceLog.Novelty
    ) {
        #expect(log(0..<count).log.novelty(of: fix(second).takenAt) == novelty)
    }

    @Test func `Every 32 fixes form a chunk, in any order of arrival`() {
        #expect(log(0..<31).chunks == [])
        let (log, chunks) = log((0..<70).map { ($0 * 37) % 70 })
        #expect(chunks.map(\.count) == [32, 32])
        #expect(chunks.map(\.last) == [FixID(rawValue: 132), FixID(rawValue: 164)])
        #expect(chunks.map(\.device) == [DeviceLogTests.phone, DeviceLogTests.phone])
        let first = (0..<32).map { ($0 * 37) % 70 }
        #expect(chunks.first?.earliest == fix(first.min() ?? 0).takenAt)
        #expect(chunks.first?.latest == fix(first.max() ?? 0).takenAt)
        #expect(log.last == FixID(rawValue: 170))
        #expect(log.openChunk?.count == 6)
        #expect(log.hasChunks)
    }

    @Test(arguments: 0..<100)
    func `A known fix was recorded before, a new one was not`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(20_260_501 + seed * 7919))
        var log = DeviceLog(device: DeviceLogTests.phone)
        var noted: Set<Timestamp> = []
        for index in 0..<300 {
            let fix = fix(index + Int.random(in: -60...0, using: &random))
            switch log.novelty(of: fix.takenAt) {
            case .known: #expect(noted.contains(fix.takenAt))
            case .new: #expect(!noted.contains(fix.takenAt))
            case .uncertain: break
            }
            guard noted.insert(fix.takenAt).inserted else { continue }
            _ = log.note(fix, as: FixID(rawValue: Int64(index + 1)))
        }
    }

    @Test func `A device log is stored and read unchanged`() throws {
        var log = log(0..<40).log
        for number: Int64 in [3, 4, 7, 9] {
            log.receipts.note(number, isNew: true, at: Timestamp(milliseconds: 0))
        }
        let saved = SavedTracker(tracker: Tracker(user: UserID(rawValue: 7)), logs: [log])
        #expect(try Document.savedTracker(Document.text(saved)).logs == [log])
    }
}
