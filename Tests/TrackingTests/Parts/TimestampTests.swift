import Testing
import Tracking

/// Arithmetic with times, as far away as possible.
struct TimestampTests {
    private let first = Timestamp(milliseconds: .min)
    private let last = Timestamp(milliseconds: .max)

    @Test func `A timestamp out of range becomes the nearest in range`() {
        #expect(last + .milliseconds(1) == last)
        #expect(first - .milliseconds(1) == first)
        #expect(first + .milliseconds(-1) == first)
        #expect(last - .milliseconds(-1) == last)
        #expect(first + .milliseconds(Int64.max) == Timestamp(milliseconds: -1))
        #expect(last - .milliseconds(Int64.max) == Timestamp(milliseconds: 0))
    }

    @Test func `A difference out of range becomes the nearest in range`() {
        #expect((last - first).milliseconds == .max)
        #expect((first - last).milliseconds == .min)
        #expect((last - last).milliseconds == 0)
        #expect((last - Timestamp(milliseconds: 0)).milliseconds == .max)
    }

    @Test func `A duration is cut to whole milliseconds and clamped`() {
        #expect(Duration.microseconds(1_999).milliseconds == 1)
        #expect(Duration.microseconds(-1_999).milliseconds == -1)
        #expect(Duration.seconds(Int64.max / 1000 + 1).milliseconds == .max)
        #expect(Duration.seconds(Int64.min / 1000 - 1).milliseconds == .min)
        let longest = Duration.milliseconds(Int64.max)
        #expect(longest.milliseconds == .max)
        #expect((longest + .milliseconds(1)).milliseconds == .max)
    }
}
