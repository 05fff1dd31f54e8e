import Testing
import Tracking

/// Arithmetic with times, as far away as they may be.
struct TimestampTests {
    private let first = Timestamp(milliseconds: .min)
    private let last = Timestamp(milliseconds: .max)

    @Test func `Timestamps beyond all that there are become the nearest one`() {
        #expect(last + .milliseconds(1) == last)
        #expect(first - .milliseconds(1) == first)
        #expect(first + .milliseconds(-1) == first)
        #expect(last - .milliseconds(-1) == last)
        #expect(first + .milliseconds(Int64.max) == Timestamp(milliseconds: -1))
        #expect(last - .milliseconds(Int64.max) == Timestamp(milliseconds: 0))
    }

    @Test func `Between the ends there is as much as can be counted`() {
        #expect((last - first).milliseconds == .max)
        #expect((first - last).milliseconds == .min)
        #expect((last - last).milliseconds == 0)
        #expect((last - Timestamp(milliseconds: 0)).milliseconds == .max)
    }

    @Test func `A duration is whole milliseconds, as many as there can be`() {
        #expect(Duration.microseconds(1_999).milliseconds == 1)
        #expect(Duration.microseconds(-1_999).milliseconds == -1)
        #expect(Duration.seconds(Int64.max / 1000 + 1).milliseconds == .max)
        #expect(Duration.seconds(Int64.min / 1000 - 1).milliseconds == .min)
        let longest = Duration.milliseconds(Int64.max)
        #expect(longest.milliseconds == .max)
        #expect((longest + .milliseconds(1)).milliseconds == .max)
    }
}
