import Contract
import Testing
import Tracking

@testable import Bridge

/// The computation of waits, and the limiter's memory.
struct AttemptLimiterTests {
    private let start = Timestamp.morning

    private func rule(capacity: Int) -> AttemptRule {
        var rule = AttemptRule()
        rule.capacity = capacity
        return rule
    }

    private func fail(_ key: Int, _ times: Int, _ limiter: inout AttemptLimiter<Int>, at: Timestamp)
    {
        for _ in 0..<times { limiter.begin(key, at: at) }
    }

    @Test func `Memory is bounded`() {
        var limiter = AttemptLimiter<Int>(rule(capacity: 100))
        for key in 0..<10_000 {
            limiter.begin(key, at: start)
            #expect(limiter.count <= 100)
        }
        #expect(limiter.count > 50)
        #expect(limiter.forgotten == 10_000 - limiter.count)
    }

    @Test func `A waiting key is not evicted by others`() {
        var limiter = AttemptLimiter<Int>(rule(capacity: 100))
        fail(-1, 12, &limiter, at: start)
        for key in 0..<10_000 { limiter.begin(key, at: start) }
        #expect(limiter.wait(of: -1, at: start) == .seconds(128))
    }

    @Test func `The least recently used key that does not wait is evicted first`() {
        var limiter = AttemptLimiter<Int>(rule(capacity: 10))
        for key in 0..<10 { fail(key, 4, &limiter, at: start) }
        limiter.begin(0, at: start)
        limiter.begin(10, at: start)
        // 0 has to wait, so 1 is forgotten; 9 is not.
        fail(1, 1, &limiter, at: start)
        fail(9, 1, &limiter, at: start)
        #expect(limiter.wait(of: 0, at: start) != nil)
        #expect(limiter.wait(of: 1, at: start) == nil)
        #expect(limiter.wait(of: 9, at: start) != nil)
    }

    @Test func `A key is evicted even when all of them wait`() {
        var limiter = AttemptLimiter<Int>(rule(capacity: 10))
        for key in 0..<20 { fail(key, 6, &limiter, at: start) }
        #expect(limiter.count == 10)
        #expect(limiter.wait(of: 19, at: start) == .seconds(2))
        #expect(limiter.wait(of: 0, at: start) == nil)
    }

    @Test func `A withdrawn attempt does not count`() {
        var limiter = AttemptLimiter<Int>()
        fail(1, 5, &limiter, at: start)
        limiter.takeBack(1)
        #expect(limiter.wait(of: 1, at: start) == nil)
        limiter.begin(1, at: start)
        #expect(limiter.wait(of: 1, at: start) == .seconds(1))
        for _ in 0..<10 { limiter.takeBack(1) }
        #expect(limiter.count == 0)
    }

    @Test func `A clock set back lengthens no wait`() {
        var limiter = AttemptLimiter<Int>()
        fail(1, 6, &limiter, at: start)
        let earlier = start - .seconds(86_400)
        #expect(limiter.wait(of: 1, at: earlier) == .seconds(2))
        #expect(limiter.wait(of: 1, at: earlier + .seconds(2)) == nil)
    }

    @Test func `A wait lasts at most 15 minutes`() {
        var limiter = AttemptLimiter<Int>()
        fail(1, 100_000, &limiter, at: start)
        #expect(limiter.wait(of: 1, at: start) == .seconds(900))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
        ("2001:db8::1", "2001:db8:0:0:ffff::9", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("localhost", "localhost", true), ("localhost", "elsewhere", false),
    ])
    func `An IPv6 network is one address`(_ left: String, _ right: String, _ isSame: Bool) {
        #expect((NetworkAddress(left) == NetworkAddress(right)) == isSame)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.1.2", true), ("::1", true), ("0:0:0:0:0:0:0:1", true),
        ("::ffff:127.0.0.1", true), ("::ffff:7f00:1", true), ("128.0.0.1", false),
        ("12.7.0.0", false), ("::2", false), ("::7f00:1", false), ("7f00::1", false),
        ("127.elsewhere", false), ("localhost", false), ("", false),
    ])
    func `Only loopback addresses count as this machine`(_ text: String, _ isThisMachine: Bool) {
        #expect(NetworkAddress(text).isThisMachine == isThisMachine)
    }
}
