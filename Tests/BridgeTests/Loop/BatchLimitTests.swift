import Testing

@testable import Bridge

struct BatchLimitTests {
    @Test func `A long turn reduces the next batch to what fits, but not below the minimum`() {
        var limit = BatchLimit()
        limit.note(800, 0, in: .milliseconds(50))
        #expect(limit.count == 400)
        limit.note(400, 0, in: .milliseconds(25))
        #expect(limit.count == 500)
        limit.note(500, 0, in: .seconds(10))
        #expect(limit.count == BatchLimit.least)
    }

    @Test func `A long turn with few messages leaves the limits unchanged`() {
        var limit = BatchLimit()
        limit.note(BatchLimit.least - 1, BatchLimit.leastBytes - 1, in: .seconds(10))
        #expect(limit.count == BridgeSettings.maximumBatch)
        #expect(limit.bytes == BridgeSettings.maximumBatchBytes)
    }

    @Test func `A long turn with few large messages reduces the byte limit`() {
        var limit = BatchLimit()
        limit.note(20, 100_000, in: .milliseconds(100))
        #expect(limit.count == BridgeSettings.maximumBatch)
        #expect(limit.bytes == 25_000)
        limit.note(1, 60_000, in: .seconds(10))
        #expect(limit.bytes == BatchLimit.leastBytes)
        for _ in 0..<20 { limit.note(1, 100, in: .milliseconds(5)) }
        #expect(limit.bytes == BridgeSettings.maximumBatchBytes)
    }

    @Test func `Quick turns raise the limit again, up to the maximum`() {
        var limit = BatchLimit()
        limit.note(1000, 0, in: .seconds(1))
        var counts: [Int] = []
        for _ in 0..<20 {
            limit.note(limit.count, 0, in: .milliseconds(5))
            counts.append(limit.count)
        }
        #expect(counts == counts.sorted())
        #expect(counts[0] == BatchLimit.least + BatchLimit.least / 4)
        #expect(counts.last == BridgeSettings.maximumBatch)
    }

    /// This holds for any share of a machine that a round gets.
    @Test func `Turns of a constant cost per message settle near the target time`() {
        var limit = BatchLimit()
        var times: [Duration] = []
        for _ in 0..<100 {
            let time = Duration.milliseconds(3) + .microseconds(100) * limit.count
            limit.note(limit.count, 0, in: time)
            times.append(time)
        }
        #expect(times.dropFirst(3).allSatisfy { $0 < .milliseconds(35) })
        #expect(times.dropFirst(3).allSatisfy { $0 > .milliseconds(13) })
    }
}
