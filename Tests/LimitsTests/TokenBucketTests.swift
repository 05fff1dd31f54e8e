import Limits
import Testing

/// Ten at once, and two per second.
struct TokenBucketTests {
    private let bucket = Bucket()

    @Test func `The burst is available at once and refills at the rate`() {
        for _ in 0..<10 { #expect(bucket.take(at: .zero)) }
        #expect(!bucket.take(at: .milliseconds(499)))
        #expect(bucket.take(at: .milliseconds(500)))
        #expect(!bucket.take(at: .milliseconds(500)))
        #expect(bucket.left(at: .seconds(3600)) == 10)
        #expect(bucket.isFull(at: .seconds(3600)))
    }

    @Test func `A refused request costs nothing`() {
        #expect(!bucket.take(11, at: .zero))
        #expect(!bucket.has(11, at: .zero))
        #expect(bucket.take(10, at: .zero))
    }

    @Test func `A debt stops at its floor, and a refund at the burst`() {
        bucket.spend(100, downTo: -4, at: .zero)
        #expect(bucket.left(at: .zero) == -4)
        #expect(bucket.left(at: .seconds(2)) == 0)
        bucket.spend(-100, downTo: -4, at: .seconds(2))
        #expect(bucket.left(at: .seconds(2)) == 10)
    }

    @Test func `A clock set back costs nothing, and time counts from there`() {
        #expect(bucket.take(4, at: .seconds(100)))
        #expect(bucket.left(at: .seconds(50)) == 6)
        #expect(bucket.left(at: .seconds(51)) == 8)
    }

    /// In nanoseconds this would overflow.
    @Test func `A bucket handles times thousands of years away`() {
        #expect(bucket.take(10, at: .seconds(1)))
        #expect(bucket.left(at: .seconds(-1_000_000_000_000)) == 0)
        #expect(bucket.left(at: .seconds(1_000_000_000_000)) == 10)
    }
}

private final class Bucket {
    private let allowance = Allowance(burst: 10, perSecond: 2)
    private lazy var bucket = TokenBucket(allowance, at: .zero)

    func take(_ cost: Double = 1, at now: Duration) -> Bool {
        bucket.take(cost, of: allowance, at: now)
    }

    func has(_ cost: Double, at now: Duration) -> Bool { bucket.has(cost, of: allowance, at: now) }

    func left(at now: Duration) -> Double { bucket.left(of: allowance, at: now) }

    func spend(_ cost: Double, downTo floor: Double, at now: Duration) {
        bucket.spend(cost, downTo: floor, of: allowance, at: now)
    }

    func isFull(at now: Duration) -> Bool { bucket.isFull(allowance, at: now) }
}
