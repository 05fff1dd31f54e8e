import TestSupport
import Testing
import Tracking

struct TimerQueueTests {
    private func user(_ number: Int64) -> UserID { UserID(rawValue: number) }
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `Due users are returned earliest first, once each`() {
        var queue = TimerQueue()
        queue.schedule(user(1), by: at(30))
        queue.schedule(user(2), by: at(10))
        queue.schedule(user(3), by: at(20))
        queue.schedule(user(4), by: at(21))
        #expect(queue.next == at(10))
        #expect(queue.take(by: at(9), atMost: 10) == [])
        #expect(queue.take(by: at(20), atMost: 10) == [user(2), user(3)])
        #expect(queue.take(by: at(20), atMost: 10) == [])
        #expect(queue.next == at(21))
        #expect(queue.take(by: at(100), atMost: 10) == [user(4), user(1)])
        #expect(queue.next == nil)
    }

    @Test func `Users due at the same moment are returned in their order`() {
        var queue = TimerQueue()
        for number: Int64 in [3, 1, 2] { queue.schedule(user(number), by: at(5)) }
        #expect(queue.take(by: at(5), atMost: 10) == [user(1), user(2), user(3)])
    }

    @Test func `A limit leaves the rest for the next time`() {
        var queue = TimerQueue()
        for number in 1...5 { queue.schedule(user(Int64(number)), by: at(Int64(number))) }
        #expect(queue.take(by: at(9), atMost: 2) == [user(1), user(2)])
        #expect(queue.take(by: at(9), atMost: 0) == [])
        #expect(queue.take(by: at(9), atMost: 2) == [user(3), user(4)])
        #expect(queue.take(by: at(9), atMost: 2) == [user(5)])
    }

    @Test func `A later time does not replace an earlier one`() {
        var queue = TimerQueue()
        queue.schedule(user(1), by: at(10))
        queue.schedule(user(1), by: at(20))
        #expect(queue.take(by: at(10), atMost: 9) == [user(1)])
        #expect(queue.take(by: at(30), atMost: 9) == [])
    }

    @Test func `An earlier time replaces a later one, which no longer applies`() {
        var queue = TimerQueue()
        queue.schedule(user(1), by: at(20))
        queue.schedule(user(1), by: at(10))
        #expect(queue.next == at(10))
        #expect(queue.take(by: at(15), atMost: 9) == [user(1)])
        #expect(queue.take(by: at(20), atMost: 9) == [])
        queue.schedule(user(1), by: at(30))
        #expect(queue.take(by: at(30), atMost: 9) == [user(1)])
    }

    @Test func `A replaced time can be scheduled again`() {
        var queue = TimerQueue()
        queue.schedule(user(1), by: at(20))
        queue.schedule(user(1), by: at(10))
        #expect(queue.take(by: at(10), atMost: 9) == [user(1)])
        queue.schedule(user(1), by: at(20))
        #expect(queue.take(by: at(20), atMost: 9) == [user(1)])
        #expect(queue.take(by: at(20), atMost: 9) == [])
    }

    @Test(arguments: seeds)
    func `No user is returned too late, too early or not at all`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = TimerQueue()
        var due: [UserID: Timestamp] = [:]
        for now in Int64(0)..<200 {
            for _ in 0..<3 {
                let someone = user(Int64.random(in: 1...8, using: &random))
                let time = at(now + Int64.random(in: 1...30, using: &random))
                queue.schedule(someone, by: time)
                due[someone] = due[someone].map { min($0, time) } ?? time
            }
            let expected = due.filter { $0.value <= at(now) }.sorted {
                ($0.value, $0.key) < ($1.value, $1.key)
            }
            #expect(queue.take(by: at(now), atMost: 100) == expected.map(\.key))
            for (user, _) in expected { due[user] = nil }
            if let first = due.values.min() { #expect(queue.next.map { $0 <= first } == true) }
        }
    }
}
