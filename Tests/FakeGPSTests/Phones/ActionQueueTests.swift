import Testing

@testable import FakeGPS

/// When a phone makes each request.
struct ActionQueueTests {
    func queue(_ times: [Int], every period: Int? = nil) -> ActionQueue {
        var phone = phone()
        phone.actions = times.map { .stopSOS(at: .seconds($0)) }
        phone.repeatsActionsEvery = period.map { .seconds($0) }
        return ActionQueue(phone)
    }

    /// Takes all due requests and returns their times.
    func take(_ queue: inout ActionQueue, until now: Int) -> [Double] {
        var times: [Double] = []
        while times.count < 100, let time = queue.next,
            queue.take({ $0 <= .seconds(now) }) != nil
        {
            times.append(time.inSeconds)
        }
        return times
    }

    @Test func `Requests are made in order, each once`() {
        var queue = queue([5, 0, 3])
        #expect(take(&queue, until: 4) == [0, 3])
        #expect(queue.next == .seconds(5))
        #expect(take(&queue, until: 1000) == [5])
        #expect(queue.next == nil)
    }

    @Test func `A repeating story restarts after each period`() {
        var queue = queue([0, 3], every: 10)
        #expect((0...33).flatMap { take(&queue, until: $0) } == [0, 3, 10, 13, 20, 23, 30, 33])
        #expect(queue.next == .seconds(40))
    }

    @Test func `Missed rounds are not repeated`() {
        var queue = queue([0, 3], every: 10)
        #expect(take(&queue, until: 1) == [0])
        #expect(take(&queue, until: 1007) == [3, 1000, 1003])
        #expect(take(&queue, until: 1012) == [1010])
    }

    @Test func `A phone without requests has nothing to repeat`() {
        var queue = queue([], every: 10)
        #expect(queue.next == nil)
        #expect(take(&queue, until: 100) == [])
    }
}
