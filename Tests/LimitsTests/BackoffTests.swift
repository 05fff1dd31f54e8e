import Limits
import Testing

struct BackoffTests {
    @Test func `Delays double up to the maximum and restart after a success`() {
        var backoff = Backoff(from: .milliseconds(250), to: .seconds(3))
        #expect(
            (1...6).map { _ in backoff.next() } == [
                .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3),
                .seconds(3),
            ])
        #expect(backoff.failures == 6)
        backoff.reset()
        #expect(backoff.next() == .milliseconds(250))
    }

    @Test func `Any number of failures has a delay`() {
        let backoff = Backoff(from: .seconds(1), to: .seconds(900))
        #expect(backoff.delay(after: 0) == .seconds(1))
        #expect(backoff.delay(after: .max) == .seconds(900))
    }
}
