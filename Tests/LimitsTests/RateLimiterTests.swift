import Testing

@testable import Limits

struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test func `Each key has its own allowance`() {
        let limiter = RateLimiter<String>(Allowance(burst: 2, perSecond: 1), at: start)
        #expect(limiter.take("a", at: start))
        #expect(limiter.take("a", at: start))
        #expect(!limiter.take("a", at: start))
        #expect(limiter.take("b", at: start))
        #expect(limiter.take("a", at: start + .seconds(1)))
    }

    @Test func `Keys whose allowance is full again are forgotten at capacity`() {
        let limiter = RateLimiter<Int>(Allowance(burst: 2, perSecond: 1), at: start)
        for key in 1..<TokenBuckets<Int>.capacity { #expect(limiter.take(key, at: start)) }
        let later = start + .seconds(1)
        #expect(limiter.take(0, 2, at: later))
        #expect(limiter.take(-1, at: later))
        #expect(!limiter.take(0, 2, at: later))
    }
}
