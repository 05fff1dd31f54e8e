import Testing
import Tracking

/// Wrong device clocks, and when they are corrected.
struct DeviceClockTests {
    private let now = Timestamp(milliseconds: 1_790_000_000_000)
    private let ahead = Duration.seconds(60)
    private let before = Duration.seconds(30 * 86_400)
    private let rollover = Duration.seconds(1024 * 7 * 86_400)

    private func corrected(_ raw: Timestamp, by clock: DeviceClock = DeviceClock()) -> Timestamp {
        clock.corrected(raw, at: now, ahead: ahead, before: before)
    }

    @Test func `A right time is unchanged up to both of its limits`() {
        for offset in [0, 60, -60, -30 * 86_400] {
            let raw = now + .seconds(offset)
            #expect(corrected(raw) == raw)
        }
    }

    @Test func `A time that is off by a multiple of 1,024 weeks is moved`() {
        for times in [1, 2, -1, -3] {
            let right = now - .seconds(90)
            #expect(corrected(right - rollover * times) == right)
        }
    }

    @Test func `A time that is off by nearly 1,024 weeks is unchanged, and so refused`() {
        for offset in [Duration.seconds(61), .seconds(-31 * 86_400), .seconds(86_400)] {
            let raw = now - rollover + offset
            #expect(corrected(raw) == raw)
        }
    }

    @Test func `A time at either end of the range causes no trap`() {
        for raw in [Int64.min, .min + 1, .max, 0, -1] {
            let time = Timestamp(milliseconds: raw)
            #expect(corrected(time) == time || raw == 0 || raw == -1)
        }
    }

    @Test func `A fast clock is corrected with the third consistent sample`() {
        var clock = DeviceClock()
        #expect(false == clock.noteRefused(now + .seconds(298), at: now))
        #expect(false == clock.noteRefused(now + .seconds(301), at: now + .seconds(1)))
        let isTold = clock.noteRefused(now + .seconds(300), at: now + .seconds(1))
        #expect(isTold)
        #expect(clock.offset == .seconds(300))
        #expect(corrected(now + .seconds(302), by: clock) == now + .seconds(2))
    }

    @Test func `A clock with inconsistent samples is not corrected`() {
        var clock = DeviceClock()
        for step in 1...20 {
            let now = now + .seconds(step)
            #expect(false == clock.noteRefused(now + .seconds(100 * step), at: now))
        }
        #expect(clock.offset == nil)
    }

    @Test func `A clock years behind is corrected after ten seconds, not by a backlog`() {
        var clock = DeviceClock()
        let year = Duration.seconds(365 * 86_400)
        for _ in 1...5 { #expect(false == clock.noteRefused(now - year, at: now)) }
        let isTold = clock.noteRefused(now + .seconds(10) - year, at: now + .seconds(10))
        #expect(isTold)
        #expect(clock.offset == .zero - year)
    }

    @Test func `A clock that is set right is no longer corrected`() {
        var clock = DeviceClock()
        for _ in 1...3 { _ = clock.noteRefused(now + .seconds(300), at: now) }
        // A right time is still corrected at first, and so seems old.
        for (step, isRight) in [(0, false), (5, false), (9, false), (10, true)] {
            let now = now + .seconds(60 + step)
            let time = corrected(now, by: clock)
            #expect(time == now - .seconds(300))
            clock.noteAccepted(time, at: now)
            #expect((clock.offset == nil) == isRight)
        }
        #expect(clock.offset == nil && !clock.isInDoubt)
    }

    @Test func `A fast clock's backlog leaves the correction unchanged`() {
        var clock = DeviceClock()
        for _ in 1...3 { _ = clock.noteRefused(now + .seconds(300), at: now) }
        for age in stride(from: 600, through: 0, by: -10) {
            clock.noteAccepted(now - .seconds(age), at: now)
        }
        #expect(clock.offset == .seconds(300))
    }

    @Test func `A candidate is forgotten when a sample is accepted`() {
        var clock = DeviceClock()
        _ = clock.noteRefused(now + .seconds(300), at: now)
        _ = clock.noteRefused(now + .seconds(300), at: now)
        clock.noteAccepted(now, at: now)
        #expect(false == clock.noteRefused(now + .seconds(300), at: now))
    }
}
